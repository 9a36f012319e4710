import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";

/** Ports of a proxy, or of a site, on this machine. */
export interface Front {
  http: number;
  https: number;
}

/** An answer, as far as it matters whereto it leads. */
export interface FrontAnswer {
  status: number;
  headers: IncomingHttpHeaders;
}

/** Sends a request as curl does: by a name, to the proxy's port, without the headers that a browser adds. */
export async function askFront(
  front: Front,
  address: string,
  headers: Record<string, string> = {},
  form?: Record<string, string>,
): Promise<FrontAnswer> {
  const { protocol, host, hostname, pathname, search } = new URL(address);
  const body = form && new URLSearchParams(form).toString();
  const options = {
    host: "127.0.0.1",
    path: pathname + search,
    method: body === undefined ? "GET" : "POST",
    headers: {
      Host: host,
      ...(body === undefined ? {} : { "Content-Type": "application/x-www-form-urlencoded" }),
      ...headers,
    },
  };
  const asked =
    protocol === "https:"
      ? // The proxies' certificates are their own. This is about the names in them, and not about who signed.
        httpsRequest({ ...options, port: front.https, servername: hostname, rejectUnauthorized: false })
      : httpRequest({ ...options, port: front.http });
  asked.end(body);
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  await text(answer);
  return { status: answer.statusCode ?? 0, headers: answer.headers };
}

/**
 * Opens an address and follows where it leads.
 * @returns every address on the way, the last of which was served
 * @throws where an answer leads to itself or in circles, or is neither a redirect nor a page
 */
export async function followFront(
  front: Front,
  address: string,
  headers: Record<string, string> = {},
): Promise<string[]> {
  const way = [address];
  for (;;) {
    const { status, headers: answered } = await askFront(front, way.at(-1) ?? address, headers);
    if (status === 200) return way;
    const next = answered.location;
    if (status !== 308 || next === undefined || way.includes(next))
      throw new Error(`${way.join(" > ")}: ${status} ${next}`);
    way.push(next);
  }
}
