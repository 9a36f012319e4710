import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { TLSSocket } from "node:tls";
import { buffer } from "node:stream/consumers";

/** The network between this command and the site; a test replaces it by proxies on this machine. */
export interface Outside {
  /** Returns the machine and port to connect to instead of the URL's; null for the URL's own. */
  locate(url: URL): { host: string; port: number } | null;
  /** certificate of a further authority to trust */
  ca?: string;
}

/** A response, without following redirects. */
export interface Visit {
  status: number;
  /** every value of each header, by lower-case name */
  headers: Partial<Record<string, string[]>>;
  body: Buffer;
  /** null for http */
  certificate: Certificate | null;
}

/** The certificate that a server presented. */
export interface Certificate {
  from: number;
  until: number;
  /** code of the reason not to trust it, e.g. `CERT_HAS_EXPIRED`; null if it is trusted */
  fault: string | null;
}

const timeoutMs = 4_000;

/**
 * Sends one GET request. It continues with an untrusted certificate, to report all findings: it sends no secret.
 * @param headers in addition to `Host`
 * @throws the network's error, with its code
 */
export async function visit(url: URL, headers: OutgoingHttpHeaders = {}, outside?: Outside): Promise<Visit> {
  const place = outside?.locate(url);
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  const options = {
    ...(place ?? { host: hostname, port: url.port }),
    path: url.pathname + url.search,
    headers: { Host: url.host, "User-Agent": "site-doctor", ...headers },
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
  } as const;
  const isHttps = url.protocol === "https:";
  const tls = {
    rejectUnauthorized: false,
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    ...(outside?.ca ? { ca: outside.ca } : {}),
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = isHttps ? httpsRequest({ ...options, ...tls }, resolve) : httpRequest(options, resolve);
    sent.on("error", reject).end();
  });
  const certificate = response.socket instanceof TLSSocket ? readCertificate(response.socket) : null;
  return {
    status: response.statusCode ?? 0,
    headers: response.headersDistinct,
    body: await buffer(response),
    certificate,
  };
}

function readCertificate(socket: TLSSocket): Certificate {
  const { valid_from: from, valid_to: until } = socket.getPeerCertificate();
  const { authorizationError: fault } = socket as { authorizationError: unknown };
  return {
    from: Date.parse(from),
    until: Date.parse(until),
    fault: fault ? String((fault as { code?: unknown }).code ?? fault) : null,
  };
}

/** Returns the code of a network error. */
export function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === "string"
    ? code
    : name === "AbortError" || name === "TimeoutError"
      ? "ETIMEDOUT"
      : String(name);
}
