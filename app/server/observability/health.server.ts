import { withTimeout } from "~/lib/with-timeout";

/** Result of one health probe of the backend. */
export interface BackendProbe {
  /** `refused`: it responds, but rejects this site's key */
  backend: "reachable" | "unreachable" | "refused";
  /** `applied` if the database has this build's migrations; the log names missing ones */
  migrations: "applied" | "missing" | "unknown";
}

/** State of a circuit breaker. `open`: no call is made. `half-open`: one trial call is made. */
export type BreakerState = "closed" | "open" | "half-open";

/** Backend state that health depends on. */
export interface BackendStatus {
  isOpen(): boolean;
  /** runs one cheap query; never throws */
  probe(): Promise<BackendProbe>;
  /** returns the state of the circuit breakers, without a call */
  health(): Record<"rest" | "auth" | "functions", { breaker: BreakerState }>;
}

/** Room on the data folder's disk. `low`: under 512 MB; `full`: under 32 MB, and forms may be rejected. */
export type DiskState = "ok" | "low" | "full";

/** Readiness of this process by part; it never contains a secret or an address. */
export interface Readiness extends Omit<BackendProbe, "backend"> {
  /** `starting`: the embedded database is still opening; pages are served, and forms wait for it */
  backend: BackendProbe["backend"] | "starting";
  /** true if a load balancer should send visitors here */
  ready: boolean;
  /** the process is stopping and serves its last requests */
  draining: boolean;
  /** state of the page cache; visitors are served while it warms */
  pages: "cold" | "warming" | "warm";
  /** circuit breakers by service; an open one stops calls because the service did not respond */
  breakers: Record<"rest" | "auth" | "functions", BreakerState>;
  /** free space for the data folder; null if the site has none */
  disk: DiskState | null;
}

/** Timeout of the disk check; a check that hangs must not delay the response. */
const diskMs = 800;
const starting = { backend: "starting", migrations: "unknown" } as const;

/** Health of one site, for orchestrators. */
export interface Health {
  /** Makes /readyz fail from now on; each response then closes its connection, so that clients open another. */
  beginDraining(): void;
  isDraining(): boolean;
  /** Returns true once the backend is open; until then `/healthz` says `starting`. */
  isStarted(): boolean;
  /** Sets the state of the page cache. */
  reportPages(state: Readiness["pages"]): void;
  /** Checks everything that a process needs before it gets visitors; takes a second at most. */
  read(): Promise<Readiness>;
}

/**
 * Creates the health of a starting site.
 * @param readDisk never rejects; resolves with null if the site stores no data on this machine
 * @param probeReuseMs age of a probe's result that is still reused
 */
export function createHealth(
  backend: BackendStatus,
  readDisk: () => Promise<{ state: DiskState } | null>,
  probeReuseMs: number,
): Health {
  let draining = false;
  let pages: Readiness["pages"] = "cold";
  let probe: { at: number; result: Promise<BackendProbe> } | undefined;

  function probeCached(): Promise<BackendProbe> {
    const now = performance.now();
    if (probe === undefined || now - probe.at > probeReuseMs) probe = { at: now, result: backend.probe() };
    return probe.result;
  }

  return {
    beginDraining: () => void (draining = true),
    isDraining: () => draining,
    isStarted: () => backend.isOpen(),
    reportPages: (state) => void (pages = state),
    async read() {
      const disk = (await withTimeout(readDisk(), diskMs, () => null))?.state ?? null;
      const { backend: reach, migrations } = backend.isOpen() ? await probeCached() : starting;
      // Read last, after all awaits: readiness must be false from the moment of the signal.
      const { rest, auth, functions } = backend.health();
      const breakers = { rest: rest.breaker, auth: auth.breaker, functions: functions.breaker };
      const isBackendReady = reach === "reachable" && migrations === "applied" && disk !== "full";
      const ready = !draining && pages !== "cold" && isBackendReady && !Object.values(breakers).includes("open");
      return { ready, draining, pages, backend: reach, migrations, breakers, disk };
    },
  };
}
