import type { MessagePort, Worker } from "node:worker_threads";
import { errorFrom, type PlainError, toPlainError } from "./plain-error.server";

/** Functions that another thread calls. What they take and return must be structured data (MDN, structured clone algorithm). */
export type PortFunctions = Record<string, (argument: never, signal: AbortSignal) => Promise<unknown>>;

/** This end of a channel; a `Worker` is one as well. */
export type Port = Pick<MessagePort | Worker, "postMessage"> & {
  on(event: "message", listener: (message: unknown) => void): unknown;
};

interface Call {
  call: number;
  name: string;
  argument: unknown;
}
interface Abort {
  abort: number;
}
interface Outcome {
  outcome: number;
  value?: unknown;
  error?: PlainError;
}

/** The calling end of a channel. */
export interface Caller<Functions extends PortFunctions> {
  /**
   * Calls a function of the other thread.
   * @throws what the function throws, as an `Error` of the same name, message and code; the signal's reason as soon as it
   *   is aborted, of which the function is told; or the reason given to `fail`
   */
  call<Name extends keyof Functions & string>(
    name: Name,
    argument: Parameters<Functions[Name]>[0],
    signal?: AbortSignal | null,
  ): Promise<Awaited<ReturnType<Functions[Name]>>>;
  /** Rejects all calls that wait, and every later one: the other thread is gone. */
  fail(reason: Error): void;
}

/** Makes the calling end; the other end is `answerCalls`. */
export function createCaller<Functions extends PortFunctions>(port: Port): Caller<Functions> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(reason: unknown): void }>();
  let calls = 0;
  let failure: Error | undefined;
  port.on("message", (message) => {
    if (!has(message, "outcome")) return;
    const { outcome, value, error } = message as Outcome;
    if (error) waiting.get(outcome)?.reject(errorFrom(error));
    else waiting.get(outcome)?.resolve(value);
  });
  return {
    async call(name, argument, signal) {
      if (failure) throw failure;
      signal?.throwIfAborted();
      const call = (calls += 1);
      const result = new Promise<unknown>((resolve, reject) => waiting.set(call, { resolve, reject }));
      const abort = () => {
        waiting.get(call)?.reject(signal?.reason);
        port.postMessage({ abort: call } satisfies Abort);
      };
      signal?.addEventListener("abort", abort, { once: true });
      try {
        port.postMessage({ call, name, argument } satisfies Call, buffersOf(argument));
        return (await result) as never;
      } finally {
        signal?.removeEventListener("abort", abort);
        waiting.delete(call);
      }
    },
    fail(reason) {
      failure = reason;
      for (const { reject } of waiting.values()) reject(reason);
    },
  };
}

/** Lets the other end of the channel call these functions, each with a signal that is aborted when its caller gives up. */
export function answerCalls(port: Port, functions: PortFunctions): void {
  const running = new Map<number, AbortController>();
  port.on("message", (message) => {
    if (has(message, "abort")) running.get((message as Abort).abort)?.abort();
    if (has(message, "call")) void answer(message as Call);
  });

  async function answer({ call, name, argument }: Call): Promise<void> {
    const controller = new AbortController();
    running.set(call, controller);
    try {
      const value = await functions[name]?.(argument as never, controller.signal);
      port.postMessage({ outcome: call, value } satisfies Outcome, buffersOf(value));
    } catch (error) {
      port.postMessage({ outcome: call, error: toPlainError(error) } satisfies Outcome);
    } finally {
      running.delete(call);
    }
  }
}

function has(message: unknown, key: string): boolean {
  return typeof message === "object" && message !== null && key in message;
}

/** The body of a request or a response moves to the other thread instead of being copied. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (typeof value !== "object" || value === null || !("body" in value)) return [];
  return value.body instanceof ArrayBuffer ? [value.body] : [];
}
