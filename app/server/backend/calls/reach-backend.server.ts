import { createEmptyBodyFailure } from "#supabase/functions/_shared/host/fetch-with-timeout";
import type { Secrets } from "../../config/secrets.server";
import type { Settings } from "../../config/settings.server";
import type { Timeouts } from "../../config/timeouts.server";
import type { BackendStatus } from "../../observability/health.server";
import type { Log } from "../../observability/log.server";
import type { Backend } from "../backend.server";
import {
  type BackendService,
  type BackendFault,
  backendFaults,
  diagnoseResponse,
  diagnoseError,
} from "./backend-diagnostics.server";
import { oncePer } from "~/lib/once-per";
import { Breaker } from "./circuit-breaker.server";
import { fetchWithDeadline } from "./deadline.server";
import { retryReads } from "./retry-reads.server";
import { signCalls } from "./sign-calls.server";

/** All calls to the backend go through this. */
export interface BackendCalls {
  /**
   * Returns a `fetch` that keeps the timeout and retries reads after a broken connection. While a service's breaker is
   * open, it calls nothing and returns a 503 as if from the backend.
   * @param deadline a point of `performance.now()` after which no call starts
   */
  reach(backend: Backend, deadline?: number): typeof fetch;
  /**
   * Returns the health that visitors' calls have shown, without making a call; for /readyz. Services fail separately: a
   * hanging edge function must not lock admins out. The embedded backend is always healthy, as it lives and dies with
   * this process.
   */
  health: BackendStatus["health"];
}

interface WatchedService {
  breaker: Breaker;
  /** limits reports of a cause to one a minute */
  shouldReport: (cause: BackendFault) => boolean;
}

const failuresToOpen = 5;
const reportEveryMs = 60_000;

/** Creates the backend calls of a site and tracks the health of each service. */
export function createBackendCalls({
  settings,
  secrets,
  log,
  timeouts,
}: {
  settings: Settings;
  secrets: Pick<Secrets, "site">;
  log: Log;
  timeouts: Timeouts;
}): BackendCalls {
  const watch = (): WatchedService => ({
    breaker: new Breaker({ failures: failuresToOpen, resetTimeoutMs: timeouts.circuitReset }),
    shouldReport: oncePer(reportEveryMs),
  });
  const services: Record<BackendService, WatchedService> = { rest: watch(), auth: watch(), functions: watch() };

  async function callWatched(
    name: BackendService,
    call: () => Promise<Response>,
    signal: AbortSignal | null | undefined,
  ): Promise<Response> {
    const service = services[name];
    const report = service.breaker.tryAcquire();
    if (!report) return Response.json({ code: "breaker-open", message: "not called" }, { status: 503 });
    const wasOpen = service.breaker.state !== "closed";
    const begin = performance.now();
    try {
      const response = await call();
      const trouble = await diagnoseResponse(name, response);
      report(trouble !== null && backendFaults[trouble].isOutage ? "failed" : "succeeded");
      recordTrouble(name, trouble, { status: response.status, wasOpen });
      // Its callers would mistake it for success.
      return trouble === "empty-answer" ? createEmptyBodyFailure() : response;
    } catch (error) {
      const trouble = diagnoseError(error);
      // A caller that aborted, or had little time left, says nothing about the backend.
      const wasCutShort = trouble === "timeout" && performance.now() - begin < timeouts.backendCall - 50;
      report(signal?.aborted || wasCutShort ? "ignored" : "failed");
      if (!signal?.aborted && !wasCutShort) recordTrouble(name, trouble, { wasOpen });
      throw error;
    }
  }

  /** Records the health of a service and logs the remedy, once a minute at most. */
  function recordTrouble(
    name: BackendService,
    trouble: BackendFault | null,
    call: { status?: number; wasOpen: boolean },
  ): void {
    const service = services[name];
    const { state } = service.breaker;
    if (call.wasOpen && state === "closed") log.info({ event: "backend.called-again", service: name });
    if (!call.wasOpen && state !== "closed") log.error({ event: "backend.not-called", service: name, cause: trouble });
    if (trouble === null || !service.shouldReport(trouble)) return;
    const { status } = call;
    log.error({
      event: "backend.trouble",
      service: name,
      cause: trouble,
      status,
      remedy: backendFaults[trouble].remedy,
    });
  }

  const readHealth = ({ breaker }: WatchedService) => ({ breaker: breaker.state });
  return {
    reach(backend, deadline = Infinity) {
      const signed = signCalls(backend.fetch, secrets.site());
      if (settings.backend.kind === "embedded") return fetchWithDeadline(signed, timeouts.backendCall, deadline);
      const call = fetchWithDeadline(retryReads(signed), timeouts.backendCall, deadline);
      return (input, init) => {
        const { pathname } = new URL(input instanceof Request ? input.url : input);
        const [, name = "rest"] = /\/(rest|auth|functions)\/v1\//.exec(pathname) ?? [];
        return callWatched(name as BackendService, () => call(input, init), init?.signal);
      };
    },
    health: () => ({
      rest: readHealth(services.rest),
      auth: readHealth(services.auth),
      functions: readHealth(services.functions),
    }),
  };
}
