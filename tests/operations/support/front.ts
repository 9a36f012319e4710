import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";

/** Ports of a proxy, or of a site, on this machine. */
export interface Front {
  http: number;
  https: number;
}

/** Response of a proxy, without its body. */
export interface FrontResponse {
  status: number;
  headers: IncomingHttpHeaders;
}

/**
 * Sends a request as curl does: to the proxy's port, with the address's host name, without a browser's extra headers.
 */
export async function requestFront(
  front: Front,
  address: string,
  headers: Record<string, string> = {},
  form?: Record<string, string>,
  localAddress = "127.0.0.1",
): Promise<FrontResponse> {
  const { protocol, host, hostname, pathname, search } = new URL(address);
  const body = form && new URLSearchParams(form).toString();
  const options = {
    // A new connection for each request.
    agent: false as const,
    host: "127.0.0.1",
    localAddress,
    path: pathname + search,
    method: body === undefined ? "GET" : "POST",
    headers: {
      Host: host,
      ...(body === undefined ? {} : { "Content-Type": "application/x-www-form-urlencoded" }),
      ...headers,
    },
  };
  const sent =
    protocol === "https:"
      ? // The proxies' certificates are self-signed. Their names matter here, not their issuer.
        httpsRequest({ ...options, port: front.https, servername: hostname, rejectUnauthorized: false })
      : httpRequest({ ...options, port: front.http });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  await text(response);
  return { status: response.statusCode ?? 0, headers: response.headers };
}

/**
 * Opens an address and follows its redirects.
 * @returns every visited address, the last of which was served
 * @throws on a redirect loop, and on a response that is neither a redirect nor a page
 */
export async function followFront(
  front: Front,
  address: string,
  headers: Record<string, string> = {},
): Promise<string[]> {
  const visited = [address];
  for (;;) {
    const { status, headers: received } = await requestFront(front, visited.at(-1) ?? address, headers);
    if (status === 200) return visited;
    const next = received.location;
    if (status !== 308 || next === undefined || visited.includes(next))
      throw new Error(`${visited.join(" > ")}: ${status} ${next}`);
    visited.push(next);
  }
}
