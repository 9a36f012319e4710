import { formatRequestLine, type AnsweredRequest } from "./request-line.server";

/**
 * Lines wait no longer than this, and no more of them than this many characters: a quarter of what a pipe holds, so that a
 * write does not have to wait for a reader who is a little behind.
 */
const longestWaitMs = 100;
const mostWaiting = 16 * 1024;

let waiting = "";
let timer: NodeJS.Timeout | undefined;

/**
 * Writes one JSON line a request to standard output, many lines at a time: a write of its own would cost a page from
 * memory more than its answer. A process that is killed loses the lines of its last tenth of a second; problems are
 * written at once, elsewhere (`logProblem`).
 */
export function logRequest(request: AnsweredRequest): void {
  waiting += formatRequestLine(request, Date.now());
  if (waiting.length >= mostWaiting) flushAccessLog();
  else timer ??= setTimeout(flushAccessLog, longestWaitMs).unref();
}

/** Writes what waits. */
export function flushAccessLog(): void {
  clearTimeout(timer);
  timer = undefined;
  if (waiting === "") return;
  const lines = waiting;
  waiting = "";
  // One byte a character, since a line is ASCII (formatRequestLine): it need not be looked through.
  process.stdout.write(lines, "latin1");
}

process.on("exit", flushAccessLog);
