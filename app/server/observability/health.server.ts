import { isBackendOpen } from "../backend/backend.server";
import { type BackendProbe, probeBackend } from "../backend/health-probe.server";
import { type BackendHealth, backendHealth } from "../backend/reach-backend.server";

/** How far this process is, in parts that an operator can tell apart; never a secret or an address. */
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
  breakers: { [Service in keyof BackendHealth]: BackendHealth[Service]["breaker"] };
}

let draining = false;
let pages: Readiness["pages"] = "cold";

/** From here on /readyz says no, and every answer asks its client to come back on another connection. */
export function beginDraining(): void {
  draining = true;
}

/** Whether the process is about to end. */
export function isDraining(): boolean {
  return draining;
}

/** Tells how far the pages in memory are. */
export function reportPages(state: Readiness["pages"]): void {
  pages = state;
}

/** What probes may cost: they ask as often as they like, the backend is asked this often. */
const freshMs = 1_000;
let probe: { at: number; result: Promise<BackendProbe> } | undefined;

/** Looks at everything that must be there before visitors are sent here; takes a second at most. */
export async function readReadiness(): Promise<Readiness> {
  const { backend, migrations } = isBackendOpen() ? await probeNowAndThen() : starting;
  // Asked last: the answer must be no from the very moment of the signal.
  const { rest, auth, functions } = backendHealth();
  const breakers = { rest: rest.breaker, auth: auth.breaker, functions: functions.breaker };
  const isBackendThere = backend === "reachable" && migrations === "applied";
  const ready = !draining && pages !== "cold" && isBackendThere && !Object.values(breakers).includes("open");
  return { ready, draining, pages, backend, migrations, breakers };
}

const starting = { backend: "starting", migrations: "unknown" } as const;

function probeNowAndThen(): Promise<BackendProbe> {
  const now = performance.now();
  if (probe === undefined || now - probe.at > freshMs) probe = { at: now, result: probeBackend() };
  return probe.result;
}
