import type { IncomingMessage } from "node:http";
import type { TrackedRequest } from "../observability/track-request.server";

/** A request in the edge, and the response to it. */
export interface Exchange extends TrackedRequest {
  /** true if the request is a form from our own pages */
  isSameOrigin: boolean;
}

/** One step of the edge. It responds, or calls `next`. */
export type Step = (exchange: Exchange, next: () => void) => void;

/** Chains steps: each runs when the previous one calls `next`. The last one must respond to every request. */
export function chainSteps(steps: readonly Step[]): (exchange: Exchange) => void {
  return (exchange) => {
    let index = 0;
    const next = () => steps[index++]?.(exchange, next);
    next();
  };
}

/**
 * Removes headers before later steps read them. Most requests have none, and `delete` slows every later header lookup.
 */
export function dropHeaders({ headers }: IncomingMessage, ...names: string[]): void {
  for (const name of names) if (headers[name] !== undefined) delete headers[name];
}
