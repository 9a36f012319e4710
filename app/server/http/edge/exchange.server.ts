import type { IncomingMessage, ServerResponse } from "node:http";

/** A request on its way through the edge, and the response to it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** names the request in the log */
  readonly requestId: string;
  /** pattern under which it is logged and counted, never a path; null for probes, which are neither */
  route: string | null;
  /** a form that it brings comes from our own pages */
  isSameOrigin: boolean;
}

/** One step through the edge. It responds, or leaves the request to the next step. */
export type Step = (exchange: Exchange, next: () => void) => void;

/** Joins steps: each runs when the one before it calls `next`. The last one responds to everything. */
export function inOrder(steps: readonly Step[]): (exchange: Exchange) => void {
  function run(exchange: Exchange, place: number): void {
    steps[place]?.(exchange, () => run(exchange, place + 1));
  }
  return (exchange) => run(exchange, 0);
}

/** Removes headers from what later steps see. Most requests have none of them, and a `delete` makes all headers slower to read. */
export function dropHeaders({ headers }: IncomingMessage, ...names: string[]): void {
  for (const name of names) if (headers[name] !== undefined) delete headers[name];
}
