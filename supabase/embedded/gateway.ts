import { withTimeout } from "../../app/lib/with-timeout.ts";
import { callFunction, type EdgeFunctions } from "./functions.ts";
import type { BackendLog } from "./log.ts";
import { type Mutex, rejectOnAbort } from "./session/mutex.ts";

/** Dependencies of the gateway. */
export interface GatewayParts {
  /** reads a request to the REST API; the returned function runs it, within the mutex */
  prepareRestCall(request: Request, body: string): () => Promise<Response>;
  /** the sign-in service; takes the mutex itself */
  handleAuth(request: Request, body: string): Promise<Response>;
  functions: EdgeFunctions;
  mutex: Mutex;
  log: BackendLog;
}

/** Requests that may wait for the database. More would only make all of them late. */
const longestQueue = 1_000;

/**
 * The gateway to the database, and what each service may do:
 *
 * - `/rest/v1/rpc/<function>` runs one SQL function as the caller's role, one call at a time, in one transaction.
 * - `/auth/v1` signs in and out, renews sessions, and changes one's own account. It hashes passwords outside the queue.
 * - `/functions/v1/<name>` runs an edge function, which calls back in with the secret key.
 *
 * The only entrance to the backend: serves /rest/v1, /auth/v1 and /functions/v1, and responds 404 to everything else.
 */
export class Gateway {
  readonly #parts: GatewayParts;
  /** functions and sign-in requests, which call the database several times */
  readonly #running = new Set<Promise<unknown>>();
  #state: "open" | "draining" | "closed" = "open";

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  /**
   * Behaves as the global `fetch`, without a network.
   * @throws TypeError after the backend was closed, as `fetch` does on a network error
   * @throws the signal's reason when aborted; a request still in the queue then never runs
   */
  readonly fetch: typeof fetch = async (input, init) => {
    if (this.#state === "closed") throw closedError();
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const path = new URL(request.url).pathname;
    const service = /^\/(rest|auth|functions)\/v1(?:\/|$)/.exec(path)?.[1];
    if (service === "functions") {
      if (this.#state !== "open") throw closedError();
      // Outside the mutex: a function calls back into the backend and would deadlock.
      return this.#track(callFunction(this.#parts.functions, request, this.#parts.log), request.signal);
    }
    if (!service) return Response.json({ message: "Not found" }, { status: 404 });
    // Read the body first: a slow sender must not hold the database meanwhile.
    const body = request.body ? await request.text() : "";
    request.signal.throwIfAborted();
    if (this.#parts.mutex.length > longestQueue) return refuseForNow();
    // No await may come between here and the mutex: requests must reach the database in the order of their arrival.
    if (service === "auth") return this.#track(this.#parts.handleAuth(request, body), request.signal);
    const run = this.#parts.prepareRestCall(request, body);
    return this.#parts.mutex.run(async () => {
      if (this.#state === "closed") throw closedError();
      return run();
    }, request.signal);
  };

  /** Lets running functions and sign-ins finish while it rejects new ones, then rejects everything. */
  async close(timeoutMs: number): Promise<void> {
    this.#state = "draining";
    await withTimeout(Promise.allSettled(this.#running), timeoutMs, () => undefined);
    await this.#parts.mutex.idle();
    this.#state = "closed";
  }

  #track(running: Promise<Response>, signal: AbortSignal): Promise<Response> {
    this.#running.add(running);
    const forget = () => this.#running.delete(running);
    running.then(forget, forget);
    return rejectOnAbort(running, signal);
  }
}

function refuseForNow(): Response {
  const message = "Too many calls wait for the database";
  return Response.json({ code: "PGRST003", message }, { status: 503, headers: { "retry-after": "1" } });
}

function closedError(): TypeError {
  return new TypeError("embedded backend is closed");
}
