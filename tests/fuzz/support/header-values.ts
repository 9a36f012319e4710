import * as fc from "fast-check";
import { anyCookies } from "./addresses";
import {
  from,
  list,
  join,
  number,
  range,
  date,
  tag,
  coding,
  language,
  mediaType,
  address,
  hop,
  name,
  origin,
  url,
  quality,
} from "./header-grammars";
import { anyText, asHeaderText } from "./texts";

/**
 * Headers that the site or one of its libraries reads, and some that neither does. Each has valid values, nearly valid
 * ones and numbers at limits.
 */
const grammars: Record<string, fc.Arbitrary<string>> = {
  Range: range,
  "If-Range": fc.oneof(tag, date),
  "If-None-Match": fc.oneof(fc.constant("*"), list(tag, 30)),
  "If-Match": list(tag),
  "If-Modified-Since": date,
  "If-Unmodified-Since": date,
  Date: date,
  "Accept-Encoding": list(coding),
  TE: list(coding),
  "Content-Encoding": list(coding),
  "Accept-Language": list(language),
  Accept: list(join(mediaType, quality)),
  "Content-Type": mediaType,
  "Content-Length": number,
  "Transfer-Encoding": list(
    from("chunked", "identity", "gzip", "CHUNKED", "chunked;a=b", "xchunked", "", "\x0bchunked"),
  ),
  Trailer: from("Content-Length", "X-A", "", ","),
  Connection: list(from("close", "keep-alive", "upgrade", "Upgrade", "TE", "Host", "Cookie", "", "__proto__")),
  "Keep-Alive": join(from("timeout=", "max=", ""), number),
  Upgrade: list(from("websocket", "h2c", "HTTP/2.0", "TLS/1.0", "", "/", "a/b/c")),
  "HTTP2-Settings": from("AAMAAABkAAQAAP__", "", "="),
  "Sec-WebSocket-Key": from("dGhlIHNhbXBsZSBub25jZQ==", "", "x"),
  Expect: list(from("100-continue", "100-Continue", "200-ok", "", "100-continue; a=b", "nothing")),
  "Max-Forwards": number,
  Host: name,
  Forwarded: list(hop),
  "X-Forwarded-For": list(hop, 40),
  "X-Forwarded-Host": list(name),
  "X-Forwarded-Proto": list(from("http", "https", "HTTPS", "ws", "", "javascript")),
  "X-Forwarded-Port": number,
  "X-Real-IP": address,
  "CF-Connecting-IP": address,
  Via: list(from("1.1 a", "2", "", "1.1 a (b)")),
  Cookie: anyCookies,
  Origin: origin,
  Referer: url,
  "User-Agent": from(
    "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
    "Googlebot/2.1",
    "",
    "(",
    "\xff",
    "Mozilla/5.0 ".repeat(200),
  ),
  "Sec-Fetch-Site": from("same-origin", "same-site", "cross-site", "none", "", "SAME-ORIGIN"),
  "Sec-Fetch-Mode": from("navigate", "cors", ""),
  "Sec-Fetch-Dest": from("document", "empty", "iframe", ""),
  "Sec-GPC": from("1", "0", "", "1, 1", "true"),
  DNT: from("1", "0", "", "1, 1", "null"),
  "Sec-Purpose": from("prefetch", "prefetch;prerender", ";", "", "prefetch ;"),
  Authorization: from("Bearer x", "Basic YTpi", "Basic", "", "Bearer a.b.c", "bearer"),
  apikey: from("x", ""),
  "Cache-Control": from("no-cache", "max-age=-1", "max-age=99999999999", "only-if-cached", ""),
  "X-HTTP-Method-Override": from("DELETE", "CONNECT", ""),
  "X-Remix-Revalidate": from("yes", ""),
  "X-Request-Id": from("a", "", '","event":"x'),
  __proto__name: from("x"),
  constructor: from("x", "{}"),
  "set-cookie": from("a=b", ""),
};
// A literal of this name would set the object's prototype.
const fields = Object.entries(grammars).map(([field, value]) => [field.replace("__name", "__"), value] as const);

/**
 * Generates a valid value, or one that is empty, arbitrary, repeated, padded, far too long, or with a forbidden byte.
 */
const mutate = (value: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 14, arbitrary: value },
    { weight: 1, arbitrary: from("", " ", "\t", ",", ";", "=", '"', "-", "\x80") },
    { weight: 2, arbitrary: anyText.map(asHeaderText) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(value, fc.integer({ min: 2, max: 400 }))
        .map(([one, times]) => Array(times).fill(one).join(",")),
    },
    { weight: 1, arbitrary: value.map((one) => ` \t ${one}\t `) },
    { weight: 1, arbitrary: fc.integer({ min: 1_000, max: 30_000 }).map((length) => "a".repeat(length)) },
    { weight: 1, arbitrary: join(value, from("\0", "\x01", "\x7f", "\r", "\n x", "\x1b")) },
  );

/** One header name and its value, as Latin-1. */
export const anyField: fc.Arbitrary<[name: string, value: string]> = fc.oneof(
  // Equal weights, except for more headers that a file server reads.
  ...fields.map(([field, value]) => ({
    weight: /^(?:Range|If-|Accept-Enc)/.test(field) ? 4 : 1,
    arbitrary: mutate(value).map((text): [string, string] => [field, text]),
  })),
);
