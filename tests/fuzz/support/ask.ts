import { Agent, type IncomingMessage, request } from "node:http";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { asHeaderText } from "./texts";

/** A request that an anonymous client may send. */
export interface Attempt {
  method: "GET" | "POST";
  /** path and query, percent-encoded */
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

/** A complete response. */
export interface AttemptResponse {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/**
 * Sends it on a persistent connection. A POST carries our own Origin.
 * @throws when the connection breaks before the response is complete: no input may cause that
 */
export async function ask(url: string, { method, path, headers = {}, body }: Attempt): Promise<AttemptResponse> {
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, asHeaderText(value)]));
  const call = request(url, {
    path,
    method,
    agent,
    headers: {
      ...(method === "POST" ? { Origin: url, "Content-Length": body?.byteLength ?? 0 } : {}),
      ...sent,
    },
  });
  call.end(body);
  const [response] = (await once(call, "response")) as [IncomingMessage];
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: (await buffer(response)).toString("utf8"),
  };
}
