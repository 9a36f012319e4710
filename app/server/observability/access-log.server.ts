import { type LineSink, type LogEvent, formatEvent } from "./log.server";
import { type AnsweredRequest, createRequestLineFormat } from "./request-line.server";

/**
 * Lines wait no longer than this, and no more of them than this many characters: a quarter of what a pipe holds, so that a
 * write does not have to wait for a reader who is a little behind.
 */
const maxWaitMs = 100;
const maxWaitingCharacters = 16 * 1024;

/** Writes one JSON line a request. */
export interface AccessLog {
  record(request: AnsweredRequest): void;
  /** writes an event of level "info" among them; ASCII */
  note(event: LogEvent): void;
  /** writes what waits, at once */
  flush(): void;
  /** flushes, and lets the process go */
  close(): void;
}

/**
 * Writes many lines at a time: a write of its own would cost a page from memory more than its answer. A process that is
 * killed loses the lines of its last tenth of a second; problems are written at once, elsewhere (`Log`).
 */
export function createAccessLog(output: LineSink = process.stdout): AccessLog {
  const format = createRequestLineFormat();
  let waiting = "";
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === "") return;
    const lines = waiting;
    waiting = "";
    // One byte a character, since a line is ASCII: it need not be looked through.
    output.write(lines, "latin1");
  }
  process.on("exit", flush);
  function append(line: string): void {
    waiting += line;
    if (waiting.length >= maxWaitingCharacters) flush();
    else timer ??= setTimeout(flush, maxWaitMs).unref();
  }

  return {
    record: (request) => append(format(request, Date.now())),
    note: (event) => append(formatEvent("info", event)),
    flush,
    close() {
      flush();
      process.off("exit", flush);
    },
  };
}
