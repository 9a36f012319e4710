/** One event for the operator: names and numbers only, never what a visitor typed, an address, a token or a query string. */
export interface LogEvent {
  event: string;
  [detail: string]: string | number | boolean | null | undefined;
}

/** Takes events for the operator. */
export interface Log {
  info(event: LogEvent): void;
  warn(event: LogEvent): void;
  /** something that an operator should look at */
  error(event: LogEvent): void;
}

/** Where lines go: a stream, as far as a log needs one. */
export interface LineSink {
  write(text: string, encoding?: BufferEncoding): unknown;
}

/**
 * Writes one JSON line an event.
 * @param output takes what is as it should be
 * @param errors takes what an operator should look at
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

/** An event of this moment as one JSON line. */
export function formatEvent(level: Level, event: LogEvent): string {
  return `${JSON.stringify({ time: new Date().toISOString(), level, ...event })}\n`;
}

/**
 * What may be logged of an error whose message may quote a visitor: its class, its code and where it was thrown.
 * The first line of a stack repeats the message, so only the frames are kept.
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
