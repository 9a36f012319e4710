import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";
import { vi } from "vitest";
import { findFreePort } from "../../support/free-port";

/** Ports of a proxy, or of a site, on this machine. */
export interface Front {
  http: number;
  https: number;
}

export const newFront = async (): Promise<Front> => ({ http: await findFreePort(), https: await findFreePort() });

/**
 * Sends a request as curl does: to the proxy's port, with the address's host name, without a browser's extra headers,
 * on a new connection. @returns the response without its body
 */
export async function requestFront(
  front: Front,
  address: string,
  headers: Record<string, string> = {},
  form?: Record<string, string>,
  localAddress = "127.0.0.1",
): Promise<{ status: number; headers: IncomingHttpHeaders }> {
  const { protocol, host, hostname, pathname, search } = new URL(address);
  const ofForm = form && { "Content-Type": "application/x-www-form-urlencoded" };
  const options = {
    agent: false as const,
    host: "127.0.0.1",
    localAddress,
    path: pathname + search,
    method: form ? "POST" : "GET",
    headers: { Host: host, ...ofForm, ...headers },
  };
  const sent =
    protocol === "https:"
      ? // The proxies' certificates are self-signed. Their names matter here, not their issuer.
        httpsRequest({ ...options, port: front.https, servername: hostname, rejectUnauthorized: false })
      : httpRequest({ ...options, port: front.http });
  sent.end(form && new URLSearchParams(form).toString());
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  await text(response);
  return { status: response.statusCode ?? 0, headers: response.headers };
}

/** Resolves once a proxy responds. */
export const reachFront = (front: Front, origin: string) =>
  vi.waitFor(() => requestFront(front, `${origin}/healthz`), { timeout: 60_000, interval: 100 });
