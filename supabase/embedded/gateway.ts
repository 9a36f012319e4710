import { withTimeout } from "../../app/lib/with-timeout.ts";
import type { AdminUsersHandler } from "./auth/admin-users.ts";
import { refuseAuthEndpoint } from "./auth/auth-endpoints.ts";
import { refuseUnsignedToken } from "./auth/malformed-requests.ts";
import { callFunction, type EdgeFunctions } from "./functions.ts";
import type { BackendLog } from "./log.ts";
import { type Mutex, rejectOnAbort } from "./session/mutex.ts";

/** Dependencies of the gateway. */
export interface GatewayParts {
  /** lite's whole application, including endpoints that must not be reachable; only the gateway may use it */
  handle(request: Request): Promise<Response>;
  /** the sign-in service; called within the mutex */
  handleAuth(request: Request): Promise<Response>;
  /** the admin API for edge functions; takes the mutex itself */
  handleAdminUsers: AdminUsersHandler;
  /** resolves once all earlier commits are on disk */
  flush(): Promise<void>;
  functions: EdgeFunctions;
  mutex: Mutex;
  log: BackendLog;
}

/**
 * The only entrance to the backend: serves /rest/v1, /auth/v1 and /functions/v1, and responds 404 to everything else.
 */
export class Gateway {
  readonly #parts: GatewayParts;
  readonly #runningFunctions = new Set<Promise<unknown>>();
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
    if (service === "functions") return this.#callFunction(request);
    if (!service) return Response.json({ message: "Not found" }, { status: 404 });
    // Read the body first: a slow sender must not hold the database meanwhile.
    const complete = await withBodyRead(request);
    // No await may come between here and the mutex: requests must reach the database in the order of their arrival.
    const adminResponse = service === "auth" ? this.#parts.handleAdminUsers(complete) : null;
    if (adminResponse) return adminResponse;
    const refusal = service === "auth" ? refuseAuthEndpoint(path) : refuseUnsignedToken(complete);
    if (refusal) return refusal;
    const { response, flushed } = await this.#parts.mutex.run(async () => {
      if (this.#state === "closed") throw closedError();
      const made = await (service === "auth" ? this.#parts.handleAuth(complete) : this.#parts.handle(complete));
      // Requested while holding the mutex: closing waits for the mutex first, and so waits for this flush as well.
      return { response: made, flushed: isRead(request) ? undefined : this.#parts.flush() };
    }, request.signal);
    if (flushed) await rejectOnAbort(flushed, request.signal);
    return response;
  };

  /** Lets running functions finish (they call back in) while it rejects new ones, then rejects everything. */
  async close(timeoutMs: number): Promise<void> {
    this.#state = "draining";
    await withTimeout(Promise.allSettled(this.#runningFunctions), timeoutMs, () => undefined);
    await this.#parts.mutex.idle();
    // Requests that wait for the flush get their responses; if the flush fails, their callers get the error.
    await this.#parts.flush().catch(() => undefined);
    this.#state = "closed";
  }

  /** Runs outside the mutex: a function calls back into the backend and would deadlock. */
  #callFunction(request: Request): Promise<Response> {
    if (this.#state !== "open") throw closedError();
    const running = callFunction(this.#parts.functions, request, this.#parts.log);
    this.#runningFunctions.add(running);
    const forget = () => this.#runningFunctions.delete(running);
    running.then(forget, forget);
    return rejectOnAbort(running, request.signal);
  }
}

/** These methods cannot write: PostgREST runs them in a read-only transaction. */
function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

function closedError(): TypeError {
  return new TypeError("embedded backend is closed");
}

async function withBodyRead(request: Request): Promise<Request> {
  const { url, method, headers } = request;
  return new Request(url, { method, headers, body: request.body ? await request.arrayBuffer() : null });
}
