import type { IncomingMessage } from "node:http";

/**
 * Reads one header by its lower-case name: the `Headers` of the Fetch API, or the edge's own view of a Node request,
 * which costs nothing to create.
 */
export type HeaderReader = Pick<Headers, "get">;

/** The headers of a request. */
export interface HasHeaders {
  headers: HeaderReader;
}

/** Reads a header of a Node request by its lower-case name; null if it is absent. */
export function readHeader({ headers }: Pick<IncomingMessage, "headers">, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value : null;
}
