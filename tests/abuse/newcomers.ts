import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { requestFront } from "../operations/support/front";
import type { Product } from "../support/product";
import { filledContactForm } from "../support/visitor";
import { readPeakMemoryMb } from "./watch-site";

/** A client that sends each request on a new connection. */
export interface Newcomer {
  /** origin that the request is sent to */
  origin: string;
  localAddress?: string;
  headers?: Record<string, string>;
}

/** Sends one request. @returns its status, or the reason for its absence within ten seconds */
export async function visit(newcomer: Newcomer, path: string, form?: Record<string, string>): Promise<number | string> {
  const { origin, localAddress = "127.0.0.9", headers = {} } = newcomer;
  const port = Number(new URL(origin).port);
  const sent = requestFront({ http: port, https: port }, origin + path, headers, form, localAddress);
  const late = wait(10_000, "ETIMEDOUT", { ref: false });
  return Promise.race([sent.then(({ status }) => status), late]).catch(({ code }: NodeJS.ErrnoException) => code ?? "");
}

/**
 * Sends newcomers one after the other for some time. Each requests a cached page and `/healthz`, and posts the contact
 * form. The first two must take less than `slowestMs`.
 * @param newcomers makes each newcomer, by number
 * @returns the statuses of their responses, which should be {@link served}
 */
export async function meetNewcomers(
  product: Product,
  newcomers: (number: number) => Newcomer,
  forMs: number,
  slowestMs: number,
) {
  const statuses = { page: new Set(), health: new Set(), form: new Set() };
  let worstMs = 0;
  const until = performance.now() + forMs;
  for (let number = 1; performance.now() < until; number++) {
    const newcomer = newcomers(number);
    for (const [kind, path] of [
      ["page", "/about"],
      ["health", "/healthz"],
    ] as const) {
      const begin = performance.now();
      statuses[kind].add(await visit(newcomer, path));
      worstMs = Math.max(worstMs, performance.now() - begin);
    }
    statuses.form.add(await visit(newcomer, "/contact", { ...filledContactForm, message: `Message ${number}` }));
    await wait(50);
  }
  expect(worstMs).toBeLessThan(slowestMs);
  expect(readPeakMemoryMb(product)).toBeLessThan(500);
  return statuses;
}

export const served = { page: new Set([200]), health: new Set([200]), form: new Set([303]) };
