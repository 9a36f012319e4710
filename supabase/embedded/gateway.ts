import { withTimeout } from "../../app/lib/with-timeout.ts";
import type { AnswerAdminUsers } from "./auth/admin-users.ts";
import { refuseAuthEndpoint } from "./auth/auth-endpoints.ts";
import { callFunction, type EdgeFunctions } from "./functions.ts";
import type { BackendLog } from "./log.ts";
import { type Mutex, rejectOnAbort } from "./session/mutex.ts";

/** What stands behind the gateway. */
export interface GatewayParts {
  /** lite's whole application, including endpoints that must not be reachable; only the gateway has it. */
  answer(request: Request): Promise<Response>;
  /** the sign-in service; called within the mutex */
  answerAuth(request: Request): Promise<Response>;
  /** as it says; it takes the mutex itself */
  answerAdminUsers: AnswerAdminUsers;
  /** resolves once all that was committed so far is on the disk */
  flush(): Promise<void>;
  functions: EdgeFunctions;
  mutex: Mutex;
  log: BackendLog;
}

/** The one door to the backend: /rest/v1, /auth/v1 and /functions/v1, and 404 for everything else. */
export class Gateway {
  readonly #parts: GatewayParts;
  readonly #runningFunctions = new Set<Promise<unknown>>();
  #state: "open" | "draining" | "closed" = "open";

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  /**
   * As the global `fetch`, without a network.
   * @throws TypeError after the backend was closed, as `fetch` does on a network error
   * @throws the signal's reason when aborted; a request that was still waiting then never runs
   */
  readonly fetch: typeof fetch = async (input, init) => {
    if (this.#state === "closed") throw closedError();
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const path = new URL(request.url).pathname;
    const service = /^\/(rest|auth|functions)\/v1(?:\/|$)/.exec(path)?.[1];
    if (service === "functions") return this.#callFunction(request);
    if (!service) return Response.json({ message: "Not found" }, { status: 404 });
    // Read first: a caller who sends slowly must not hold the database meanwhile.
    const complete = await withBodyRead(request);
    // Nothing is waited for here by anybody else: requests reach the database in the order in which they came.
    const administered = service === "auth" ? this.#parts.answerAdminUsers(complete) : null;
    if (administered) return administered;
    const refusal = service === "auth" ? refuseAuthEndpoint(path) : null;
    if (refusal) return refusal;
    const { answer, flushed } = await this.#parts.mutex.run(async () => {
      if (this.#state === "closed") throw closedError();
      const made = await (service === "auth" ? this.#parts.answerAuth(complete) : this.#parts.answer(complete));
      // Asked for within the mutex, so that closing, which waits for the mutex first, waits for it as well.
      return { answer: made, flushed: isRead(request) ? undefined : this.#parts.flush() };
    }, request.signal);
    if (flushed) await rejectOnAbort(flushed, request.signal);
    return answer;
  };

  /** Lets running functions finish (they call back in), refusing new ones, then refuses everything. */
  async close(timeoutMs: number): Promise<void> {
    this.#state = "draining";
    await withTimeout(Promise.allSettled(this.#runningFunctions), timeoutMs, () => undefined);
    await this.#parts.mutex.idle();
    // Whoever waits for the disk is answered; what cannot be written is refused to its callers.
    await this.#parts.flush().catch(() => undefined);
    this.#state = "closed";
  }

  /** Outside the mutex: a function calls back into the backend, and would wait for itself. */
  #callFunction(request: Request): Promise<Response> {
    if (this.#state !== "open") throw closedError();
    const running = callFunction(this.#parts.functions, request, this.#parts.log);
    this.#runningFunctions.add(running);
    const forget = () => this.#runningFunctions.delete(running);
    running.then(forget, forget);
    return rejectOnAbort(running, request.signal);
  }
}

/** These cannot write: PostgREST runs them in a transaction that only reads. */
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
