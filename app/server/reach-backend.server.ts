import { oncePer } from "~/lib/once-per";
import type { Backend } from "./backend.server";
import {
  type BackendService,
  type TroubleCause,
  diagnoseAnswer,
  diagnoseError,
  isAway,
  remedies,
} from "./backend-trouble.server";
import { Breaker, type BreakerState } from "./breaker.server";
import { log, logProblem } from "./log.server";
import { retryReads } from "./retry-reads.server";
import { getSettings } from "./settings.server";
import { backendTimeoutMs, timedFetch } from "./timed-fetch.server";

/** How one part of the backend did lately; of the embedded one, which lives and dies with this process, always well. */
export interface ServiceHealth {
  breaker: BreakerState;
  /** what its last answered or failed call told; null after a good one */
  trouble: TroubleCause | null;
}

/** Each part fails alone: an edge function that hangs must not keep the admin out. */
export type BackendHealth = Record<BackendService, ServiceHealth>;

const limits = { failures: 5, restMs: 5_000 };
const tellEveryMs = 60_000;

interface WatchedService {
  breaker: Breaker;
  trouble: TroubleCause | null;
  /** whether the operator is to be told of a cause: once a minute, not per call */
  mayTell: (cause: TroubleCause) => boolean;
}
const watch = (): WatchedService => ({ breaker: new Breaker(limits), trouble: null, mayTell: oncePer(tellEveryMs) });
const services: Record<BackendService, WatchedService> = { rest: watch(), auth: watch(), functions: watch() };

/** Reads, without a call, how the backend has been doing for visitors; made for /readyz. */
export function backendHealth(): BackendHealth {
  return { rest: look(services.rest), auth: look(services.auth), functions: look(services.functions) };
}

function look({ breaker, trouble }: WatchedService): ServiceHealth {
  return { breaker: breaker.state, trouble };
}

/**
 * The one way to call the backend: within the time limit, reads tried again when a connection breaks, and nothing at
 * all while its breaker is open, which looks like a 503 of the backend's own.
 * @param deadline a point of `performance.now()` after which nothing is called
 */
export function reachBackend(backend: Backend, deadline = Infinity): typeof fetch {
  if (getSettings().backend.kind === "embedded") return timedFetch(backend.fetch, deadline);
  const reach = timedFetch(retryReads(backend.fetch), deadline);
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const [, name = "rest"] = /\/(rest|auth|functions)\/v1\//.exec(pathname) ?? [];
    return callWatched(name as BackendService, () => reach(input, init), init?.signal);
  };
}

async function callWatched(
  name: BackendService,
  call: () => Promise<Response>,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  const service = services[name];
  const settle = service.breaker.admit();
  if (!settle) return Response.json({ code: "breaker-open", message: "not called" }, { status: 503 });
  const wasOpen = service.breaker.state !== "closed";
  const begin = performance.now();
  try {
    const answer = await call();
    const trouble = await diagnoseAnswer(name, answer);
    settle(trouble !== null && isAway(trouble) ? "failed" : "succeeded");
    note(name, trouble, { status: answer.status, wasOpen });
    return answer;
  } catch (error) {
    const trouble = diagnoseError(error);
    // A caller who left early, or had little time left, has learnt nothing about the backend.
    const wasCutShort = trouble === "timeout" && performance.now() - begin < backendTimeoutMs - 50;
    settle(signal?.aborted || wasCutShort ? "neither" : "failed");
    if (!signal?.aborted && !wasCutShort) note(name, trouble, { wasOpen });
    throw error;
  }
}

/** Keeps what is known of a part, and tells the operator what to do about it: once a minute at most, not per call. */
function note(name: BackendService, trouble: TroubleCause | null, call: { status?: number; wasOpen: boolean }): void {
  const service = services[name];
  service.trouble = trouble;
  const { state } = service.breaker;
  if (call.wasOpen && state === "closed") log({ event: "backend.called-again", service: name });
  if (!call.wasOpen && state !== "closed") logProblem({ event: "backend.not-called", service: name, cause: trouble });
  if (trouble === null || !service.mayTell(trouble)) return;
  const { status } = call;
  logProblem({ event: "backend.trouble", service: name, cause: trouble, status, remedy: remedies[trouble] });
}
