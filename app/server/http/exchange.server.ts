import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { EventLoop } from "../observability/event-loop.server";
import { rejected } from "../observability/track-request.server";

/** A request in the edge, and the response to it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** id of the request in the log */
  readonly requestId: string;
  /** route pattern for the log and the metrics, never a path; null for probes, which appear in neither */
  route: string | null;
  /** true if a form in the request comes from our own pages */
  isSameOrigin: boolean;
}

/** Creates the exchange of a request. The event loop knows its route until the response closes. */
export function createExchange(
  request: IncomingMessage,
  response: ServerResponse,
  loop: Pick<EventLoop, "enter" | "showRoute" | "leave"> | undefined,
): Exchange {
  let route: string | null = rejected;
  const exchange: Exchange = {
    request,
    response,
    requestId: randomUUID(),
    get route() {
      return route;
    },
    set route(found) {
      route = found;
      loop?.showRoute();
    },
    isSameOrigin: false,
  };
  if (loop !== undefined) {
    loop.enter(exchange);
    response.once("close", () => loop.leave(exchange));
  }
  return exchange;
}

/** One step of the edge. It responds, or calls `next`. */
export type Step = (exchange: Exchange, next: () => void) => void;

/** Chains steps: each runs when the previous one calls `next`. The last one must respond to every request. */
export function chainSteps(steps: readonly Step[]): (exchange: Exchange) => void {
  function run(exchange: Exchange, index: number): void {
    steps[index]?.(exchange, () => run(exchange, index + 1));
  }
  return (exchange) => run(exchange, 0);
}

/**
 * Removes headers before later steps read them. Most requests have none, and `delete` slows every later header lookup.
 */
export function dropHeaders({ headers }: IncomingMessage, ...names: string[]): void {
  for (const name of names) if (headers[name] !== undefined) delete headers[name];
}
