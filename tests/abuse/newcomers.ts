import { once } from "node:events";
import { Agent, type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import { buffer } from "node:stream/consumers";
import { filledContactForm } from "../support/visitor";

/** A client that sends each request on a new connection. */
export interface Newcomer {
  /** origin that the request is sent to */
  origin: string;
  localAddress?: string;
  headers?: Record<string, string>;
  /** name in the certificate, and in `Host` unless the headers set it */
  servername?: string;
}

/** A complete response, or the reason for its absence. */
export interface Visit {
  status: number | string;
  ms: number;
  location?: string;
}

/** Sends one request on a new connection, with a timeout of ten seconds. */
export async function visit(newcomer: Newcomer, path: string, form?: Record<string, string>): Promise<Visit> {
  const { origin, localAddress = "127.0.0.9", headers = {}, servername } = newcomer;
  const body = form && new URLSearchParams(form).toString();
  const url = new URL(path, origin);
  const isHttps = url.protocol === "https:";
  const options = {
    agent: new Agent(),
    host: "127.0.0.1",
    port: url.port,
    path,
    localAddress,
    family: 4,
    method: body === undefined ? "GET" : "POST",
    headers: { ...(body === undefined ? {} : { "Content-Type": "application/x-www-form-urlencoded" }), ...headers },
    signal: AbortSignal.timeout(10_000),
  };
  const begin = performance.now();
  const timed = (status: Visit["status"], location?: string): Visit => {
    const ms = performance.now() - begin;
    return location === undefined ? { status, ms } : { status, ms, location };
  };
  try {
    const sent = isHttps
      ? httpsRequest({ ...options, agent: false, servername, rejectUnauthorized: false })
      : httpRequest(options);
    sent.end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    await buffer(response);
    return timed(response.statusCode ?? 0, response.headers.location);
  } catch (error) {
    return timed((error as NodeJS.ErrnoException).code ?? String(error));
  }
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
