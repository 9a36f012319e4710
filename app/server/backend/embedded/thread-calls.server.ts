import type { MessagePort, Worker } from "node:worker_threads";
import { createBirpc } from "birpc";
import type { ConsoleLine } from "../../observability/console-line.server";
import type { Log, LogEvent } from "../../observability/log.server";
import type { OutboxState } from "../../observability/product-metrics.server";
import type { EmbeddedStart, OpenedEmbedded } from "./embedded-start.server";
import type { FetchFunctions } from "./fetch-messages.server";

/**
 * Functions of the backend's thread that the site's thread calls. Arguments and results are structured clones (MDN).
 */
export interface ThreadFunctions extends FetchFunctions {
  /** @throws MigrationFailed, AdminPasswordRefused, or AbortError after `abortOpening` */
  open(start: EmbeddedStart): Promise<Pick<OpenedEmbedded, "url" | "publishableKey" | "firstAdmin">>;
  /** Cancels opening at its next step. */
  abortOpening(): void;
  /** needs no SQL */
  isAlive(): void;
  pingDatabase(): Promise<void>;
  readOutbox(): Promise<OutboxState>;
  close(): Promise<void>;
}

/** Functions of the site's thread that the backend's thread calls without waiting for a result. */
export interface SiteFunctions {
  log(level: keyof Log, event: LogEvent): void;
  print(line: ConsoleLine, words: string): void;
  warn(warning: PlainError): void;
  setLongWork(isUnderWay: boolean): void;
}

/** An error as plain data: a structured clone would lose its name and code. */
export interface PlainError {
  name: string;
  message: string;
  stack: string | undefined;
  code: string | undefined;
}

/** One end of a channel to another thread. */
export type ThreadPort = Pick<MessagePort | Worker, "postMessage"> & {
  on(event: "message", listener: (message: unknown) => void): unknown;
};

/**
 * Lets two threads call each other's functions. A call throws what the function throws, as an `Error` with the same
 * name, message, stack and code. It has no timeout: the caller knows when the other thread has ended, and then rejects
 * pending calls with `$close(reason)`.
 * @param functions of this thread
 * @returns the functions of the other thread
 */
export function connectThreads<Remote extends object, Local extends object>(port: ThreadPort, functions: Local) {
  return createBirpc<Remote, Local>(functions, {
    post: (message) => port.postMessage(message),
    on: (listener) => void port.on("message", listener),
    timeout: -1,
    // `e` is the error of a failed call.
    serialize: (message: { e?: unknown }) => (message.e ? { ...message, e: toPlainError(message.e) } : message),
    deserialize: (message: { e?: PlainError }) => (message.e ? { ...message, e: errorFrom(message.e) } : message),
  });
}

/** Converts an error to plain data for another thread. */
export function toPlainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error), stack: undefined, code: undefined };
  const { name, message, stack } = error;
  return { name, message, stack, code: "code" in error && typeof error.code === "string" ? error.code : undefined };
}

/** Restores an `Error` with the name, message, stack and code of the original. */
export function errorFrom({ name, message, stack, code }: PlainError): Error {
  return Object.assign(new Error(message), { name, stack }, code === undefined ? {} : { code });
}
