import { withTimeout } from "~/lib/with-timeout";

/** The result of one health probe; `refused`: the backend is up, but rejects this site's key. */
interface BackendProbe {
  backend: "reachable" | "unreachable" | "refused";
  migrations: "applied" | "missing" | "unknown";
}

type BreakerState = "closed" | "open" | "half-open";

/** How the backend does, as far as health depends on it. */
export interface BackendStatus {
  isOpen(): boolean;
  /** asks it one cheap question; never throws */
  probe(): Promise<BackendProbe>;
  /** how its parts did lately, without a call */
  health(): Record<"rest" | "auth" | "functions", { breaker: BreakerState }>;
}

type DiskState = "ok" | "low" | "full";

/** The readiness of this process, part by part; never a secret or an address. */
export interface Readiness extends Omit<BackendProbe, "backend"> {
  /** `starting`: the embedded database is not there yet; pages are answered, and forms wait for it */
  backend: BackendProbe["backend"] | "starting";
  /** whether a balancer should send visitors here */
  ready: boolean;
  /** the process is about to end and takes its last requests */
  draining: boolean;
  /** whether the pages that are kept in memory are there yet; visitors are served while they are made */
  pages: "cold" | "warming" | "warm";
  /** which parts of the backend are not called at the moment, because they did not answer */
  breakers: Record<"rest" | "auth" | "functions", BreakerState>;
  /** room for the data folder; null where the site keeps none */
  disk: DiskState | null;
}

/** A probe's result is cached for so long: however often probes come, the backend is asked once a second. */
const freshMs = 1_000;
/** Milliseconds for a look at the disk; one that hangs must not hold up the answer. */
const diskMs = 800;
const starting = { backend: "starting", migrations: "unknown" } as const;

/** What an orchestrator asks about one site. */
export interface Health {
  /** From here on /readyz says no, and every answer asks its client to come back on another connection. */
  beginDraining(): void;
  isDraining(): boolean;
  /** Whether the backend is there; `/healthz` says `starting` until then. */
  isStarted(): boolean;
  /** Sets the state of the page cache. */
  reportPages(state: Readiness["pages"]): void;
  /** Looks at everything that must be there before visitors are sent here; takes a second at most. */
  read(): Promise<Readiness>;
}

/**
 * Makes the health of a site that has just begun.
 * @param readDisk never rejects; null where the site keeps no data on this machine
 */
export function createHealth(backend: BackendStatus, readDisk: () => Promise<{ state: DiskState } | null>): Health {
  let draining = false;
  let pages: Readiness["pages"] = "cold";
  let probe: { at: number; result: Promise<BackendProbe> } | undefined;

  function probeCached(): Promise<BackendProbe> {
    const now = performance.now();
    if (probe === undefined || now - probe.at > freshMs) probe = { at: now, result: backend.probe() };
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
      // Asked last: the answer must be no from the very moment of the signal.
      const { rest, auth, functions } = backend.health();
      const breakers = { rest: rest.breaker, auth: auth.breaker, functions: functions.breaker };
      const isBackendThere = reach === "reachable" && migrations === "applied" && disk !== "full";
      const ready = !draining && pages !== "cold" && isBackendThere && !Object.values(breakers).includes("open");
      return { ready, draining, pages, backend: reach, migrations, breakers, disk };
    },
  };
}
