import { setTimeout as wait } from "node:timers/promises";
import { requestFront } from "../operations/support/front";
import { filledContactForm } from "../support/visitor";

/** A client that sends each request on a new connection. */
export interface Newcomer {
  /** origin that the request is sent to */
  origin: string;
  localAddress?: string;
  headers?: Record<string, string>;
}

/** Status of a complete response, or the reason for its absence. */
interface Visit {
  status: number | string;
  ms: number;
}

/** Sends one request, with a timeout of ten seconds. */
export async function visit(newcomer: Newcomer, path: string, form?: Record<string, string>): Promise<Visit> {
  const { origin, localAddress = "127.0.0.9", headers = {} } = newcomer;
  const port = Number(new URL(origin).port);
  const begin = performance.now();
  const sent = requestFront({ http: port, https: port }, origin + path, headers, form, localAddress);
  const status = await Promise.race([
    sent.then((response) => response.status),
    wait(10_000, "ETIMEDOUT", { ref: false }),
  ]).catch((error: NodeJS.ErrnoException) => error.code ?? String(error));
  return { status, ms: performance.now() - begin };
}

/** Statuses and the longest time of the newcomers' responses, by kind of request. */
export type Meetings = Record<"page" | "health" | "form", { statuses: Record<string, number>; worstMs: number }>;

/**
 * Sends newcomers one after the other for some time. Each requests a cached page and `/healthz`, and posts the contact
 * form.
 * @param newcomers makes each newcomer, by number
 */
export async function meetNewcomers(newcomers: (number: number) => Newcomer, forMs: number): Promise<Meetings> {
  const met: Meetings = {
    page: { statuses: {}, worstMs: 0 },
    health: { statuses: {}, worstMs: 0 },
    form: { statuses: {}, worstMs: 0 },
  };
  const until = performance.now() + forMs;
  for (let number = 1; performance.now() < until; number++) {
    const newcomer = newcomers(number);
    const message = { ...filledContactForm, message: `Message ${number}` };
    for (const [kind, path, form] of [
      ["page", "/about"],
      ["health", "/healthz"],
      ["form", "/contact", message],
    ] as const) {
      const { status, ms } = await visit(newcomer, path, form);
      met[kind].statuses[status] = (met[kind].statuses[status] ?? 0) + 1;
      met[kind].worstMs = Math.max(met[kind].worstMs, ms);
    }
    await wait(50);
  }
  return met;
}
