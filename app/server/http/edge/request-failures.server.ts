import type { RequestListener, ServerResponse } from "node:http";
import { type Log, describeError } from "../../observability/log.server";
import { sendText } from "../send-text.server";

/** Handles unexpected errors of request code, so that none of them ends the process. No method throws. */
export interface RequestFailures {
  /** Logs and counts an error. */
  note(error: unknown, requestId?: string): void;
  /** Logs and counts an error, then ends its request: 500, or a closed connection if the response has already begun. */
  end(error: unknown, response: ServerResponse, requestId?: string): void;
  /** Runs one step of a request. If it throws, the request ends. */
  attempt(response: ServerResponse, step: () => void): void;
  /** Wraps a listener. If it throws, or its response emits an error, the request ends. */
  guard(listener: RequestListener): RequestListener;
}

/** Dependencies of the request failures. */
export interface FailureDependencies {
  log: Log;
  count: () => void;
  /** Headers of every response, by name. */
  defaultHeaders: Record<string, string>;
}

/** Creates the handlers. They log an error's class, code and stack frames, never its message. */
export function createRequestFailures({ log, count, defaultHeaders }: FailureDependencies): RequestFailures {
  function note(error: unknown, requestId?: string): void {
    count();
    log.error({ event: "request.failed", requestId, ...describeError(error) });
  }

  function end(error: unknown, response: ServerResponse, requestId?: string): void {
    note(error, requestId);
    if (response.writableEnded) return;
    try {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      // These headers describe a response that will not be sent, such as a file or a compressed page.
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      sendText(response, 500, "Something went wrong on our side. Try again in a minute.\n", defaultHeaders);
    } catch {
      response.destroy();
    }
  }

  function attempt(response: ServerResponse, step: () => void): void {
    try {
      step();
    } catch (error) {
      end(error, response);
    }
  }

  return {
    note,
    end,
    attempt,
    guard: (listener) => (request, response) => {
      // Node emits `error` for a write after the end, and exits if no listener handles it. A disconnected client is not
      // a failure.
      response.on("error", (error) => response.destroyed || end(error, response));
      attempt(response, () => listener(request, response));
    },
  };
}
