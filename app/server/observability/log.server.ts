/** One event for the operator: names and numbers only, never what a visitor typed, an address, a token or a query string. */
export interface LogEvent {
  event: string;
  [detail: string]: string | number | boolean | null | undefined;
}

/** Writes one JSON line to standard output. */
export function log(event: LogEvent): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), level: "info", ...event })}\n`);
}

/** Writes one JSON line to standard error: something that an operator should look at. */
export function logProblem(event: LogEvent): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level: "error", ...event })}\n`);
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
