/** A log entry of the backend. Never contains a row, a parameter, an address or a link. */
export interface BackendEvent {
  event: string;
  /** `error`: an operator should check it; `warn`: it may come to that; all other entries are informational */
  level?: "error" | "warn";
  [field: string]: string | number | boolean | undefined;
}

/** Receives each event. The default writes one JSON line to standard output. */
export type BackendLog = (event: BackendEvent) => void;

/** Writes one JSON line per event, so that log collectors can search by field. */
export const logToConsole: BackendLog = (event) => {
  console.info(JSON.stringify(event));
};

/**
 * Returns the frames of an error's stack without its first lines: those repeat the message, and a message may quote
 * data.
 * @returns an empty string when the thrown value has no stack
 */
export function stackWithoutMessage(error: unknown): string {
  if (!(error instanceof Error) || !error.stack) return "";
  return error.stack
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .join("\n");
}
