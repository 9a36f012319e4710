import type { IncomingMessage } from "node:http";
import { sendText } from "../send-text.server";
import type { Step } from "./exchange.server";

/**
 * Size limits of a request. Our longest address has 70 characters, a campaign link about 300, and browsers send about
 * 20 header fields. Within these limits, even code that takes quadratic time stays fast.
 */
export const requestLimits = {
  /** characters of the path as sent, percent-encoded */
  path: 512,
  /** characters of the query, its question mark included */
  query: 2_000,
  /** bytes of all `Cookie` fields together */
  cookies: 8_192,
  /** bytes of all header fields, names and values */
  headers: 16_384,
  headerCount: 60,
} as const;

/** Node's own limit for the headers, which counts the address as well. */
export const maxHeaderSize = requestLimits.path + requestLimits.query + requestLimits.headers + 1_024;

/** Rejects a request that is too large with 414 or 431 (RFC 9110, 15.5.15; RFC 6585, 5), and closes its connection. */
export const refuseOversized: Step = ({ request, response }, next) => {
  const refusal = findExcess(request);
  if (refusal === null) next();
  else sendText(response, refusal.status, refusal.text, { Connection: "close" });
};

const longAddress = { status: 414, text: "This address is too long. Open the page from our menu instead.\n" };
const largeHeaders = {
  status: 431,
  text: "Your browser sent too much with this request. Delete this site's cookies and try again.\n",
};

/** Measures the raw headers, because Node's `headers` drops duplicates. */
function findExcess({ url = "", rawHeaders }: IncomingMessage): { status: number; text: string } | null {
  const queryStart = url.indexOf("?");
  const pathLength = queryStart === -1 ? url.length : queryStart;
  if (pathLength > requestLimits.path || url.length - pathLength > requestLimits.query) return longAddress;
  if (rawHeaders.length > 2 * requestLimits.headerCount) return largeHeaders;
  let bytes = 0;
  let cookieBytes = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    const size = rawHeaders[at + 1]?.length ?? 0;
    bytes += name.length + size;
    if (name.length === 6 && name.toLowerCase() === "cookie") cookieBytes += size;
  }
  return bytes > requestLimits.headers || cookieBytes > requestLimits.cookies ? largeHeaders : null;
}
