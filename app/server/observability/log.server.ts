/** Event for the operator: only names and numbers, never a visitor's input, an address, a token or a query string. */
export interface LogEvent {
  event: string;
  [detail: string]: string | number | boolean | null | undefined;
}

/** Log of events for the operator. */
export interface Log {
  info(event: LogEvent): void;
  warn(event: LogEvent): void;
  /** an event that an operator should investigate */
  error(event: LogEvent): void;
}

/** Destination of lines: the part of a stream that a log needs. */
export interface LineSink {
  write(text: string, encoding?: BufferEncoding): unknown;
}

/**
 * Writes one JSON line for each event.
 * @param output stream for info and warnings
 * @param errors stream for events that an operator should investigate
 */
export function createLog(output: LineSink = process.stdout, errors: LineSink = process.stderr): Log {
  const write = (sink: LineSink, level: Level, event: LogEvent) => void sink.write(formatEvent(level, event));
  return {
    info: (event) => write(output, "info", event),
    warn: (event) => write(output, "warn", event),
    error: (event) => write(errors, "error", event),
  };
}

type Level = "info" | "warn" | "error";

/** Formats an event of this moment as one JSON line. */
export function formatEvent(level: Level, event: LogEvent): string {
  return `${JSON.stringify({ time: new Date().toISOString(), level, ...event })}\n`;
}

/**
 * Returns the loggable parts of an error whose message may quote a visitor: class, code and stack frames. The first
 * line of a stack is omitted because it repeats the message.
 */
export function describeError(error: unknown): Record<string, string> {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = (error as { code?: unknown }).code;
  const frames = error.stack
    ?.split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 6)
    .map((line) => line.trim());
  return {
    error: error.name,
    ...(typeof code === "string" ? { code } : {}),
    ...(frames?.length ? { at: frames.join(" < ") } : {}),
  };
}
