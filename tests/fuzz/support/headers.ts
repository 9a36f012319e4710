import * as fc from "fast-check";
import { anyCookies } from "./addresses";
import { anyText, asHeaderText } from "./texts";

/** Generates one of these values. */
const from = (...values: string[]) => fc.constantFrom(...values);
/** Generates one to `maxLength` items, with separators that RFC 9110, 5.6.1, allows, and others. */
const list = (item: fc.Arbitrary<string>, maxLength = 4) =>
  fc
    .tuple(fc.array(item, { minLength: 1, maxLength }), from(",", ", ", ",,", ";"))
    .map(([items, by]) => items.join(by));
/** Concatenates the parts. */
const join = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((some) => some.join(""));

/** Integers at limits, and malformed numbers. */
const number = fc.oneof(
  fc.integer({ min: -1, max: 900 }).map(String),
  from("-0", "00", "+5", "65536", "4294967296", "9007199254740993", "99999999999999999999"),
  from("1e9", "0x10", "1.5", "NaN", "Infinity", "five", " 5", "5 5", ""),
);
/** `Range` (RFC 9110, 14.2). */
const range = join(
  from("bytes=", "bytes=", "bytes=", "BYTES=", "bytes", "items=", "="),
  list(join(number, from("-", "-", "-", "", "--"), number)),
);
/** Dates in the three formats of RFC 9110, 5.6.7, and malformed ones. */
const date = fc.oneof(
  fc.date({ noInvalidDate: true }).map((day) => day.toUTCString()),
  from("Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Wed, 31 Feb 2026 25:61:61 GMT"),
  from("Thu, 26 Nov 2026 12:00:00 +9999", "2026-11-26T12:00:00Z", "0", "-1", "GMT", ","),
);
/** Entity tags (RFC 9110, 8.8.3). */
const tag = join(from("", "W/", "w/", "W"), from('"a"', '"', '""', "a", '"a\\"b"', '"W/\\"', "*", '"\xff"', '"a b"'));
/** Weights (RFC 9110, 12.4.2). */
const quality = join(
  from("", "", ";", ";q=", "; q=", ";Q=", ";q=;q="),
  from("", "0", "0.000", "1", "1.001", "-1", "1e9", ".5", "NaN", '"1"', "q"),
);
/** Content codings with weights (RFC 9110, 12.5.3). */
const coding = join(
  from("br", "gzip", "deflate", "zstd", "identity", "*", "x-gzip", "BR", "constructor", "", "aes128gcm"),
  quality,
);
/** Media types with parameters (RFC 9110, 8.3.1). */
const mediaType = join(
  from("text/html", "*/*", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"),
  from("", ";", "; charset=utf-16", '; boundary="', `; boundary=${"b".repeat(80)}`, ";q=0", "/", ";=;=;"),
);
/** Addresses as proxies write them, and malformed ones. */
const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  from("203.0.113.7:5001", "[2001:db8::1]:443", "::ffff:203.0.113.7", "fe80::1%eth0", "unknown", "_hidden"),
  from("127.1", "0x7f000001", "999.1.1.1", "::::", "[", "]:", "%", "", "localhost", "1".repeat(100)),
);
/** Elements of `X-Forwarded-For`, also as in `Forwarded` (RFC 7239). */
const hop = join(from("", "", "for=", "by=", 'for="', "proto=", "host="), address, from("", "", '"', ";proto=https"));
/** Hosts with or without a port (RFC 9110, 7.2). */
const name = join(
  from("localhost", "firm.example", "127.0.0.1", "[::1]", "[::1", "a b", "a/b", "a@b", "xn--", ".", "", "\xe4.example"),
  from("", "", ":80", ":0", ":65536", ":", ":x", ":-1", ".", "#", "?", "\\"),
);
/** Origins (RFC 6454, 7). */
const origin = join(
  from("http://", "https://", "HTTP://", "//", "null", "blob:", "data:,", "file://", "chrome-extension://", ""),
  name,
);

/** Headers that the site or one of its libraries reads: valid values, nearly valid ones and numbers at limits. */
const grammars: Record<string, fc.Arbitrary<string>> = {
  Range: range,
  "If-Range": fc.oneof(tag, date),
  "If-None-Match": fc.oneof(fc.constant("*"), list(tag, 30)),
  "If-Modified-Since": date,
  "Accept-Encoding": list(coding),
  TE: list(coding),
  "Content-Encoding": list(coding),
  Accept: list(join(mediaType, quality)),
  "Content-Type": mediaType,
  "Content-Length": number,
  "Transfer-Encoding": list(from("chunked", "identity", "gzip", "CHUNKED", "chunked;a=b", "", "\x0bchunked")),
  Trailer: from("Content-Length", "X-A", "", ","),
  Connection: list(from("close", "keep-alive", "upgrade", "TE", "Host", "Cookie", "", "__proto__")),
  Upgrade: list(from("websocket", "h2c", "HTTP/2.0", "TLS/1.0", "", "/", "a/b/c")),
  Expect: list(from("100-continue", "100-Continue", "200-ok", "", "100-continue; a=b", "nothing")),
  Host: name,
  "X-Forwarded-For": list(hop, 40),
  "X-Forwarded-Host": list(name),
  "X-Forwarded-Proto": list(from("http", "https", "HTTPS", "ws", "", "javascript")),
  "CF-Connecting-IP": address,
  Cookie: anyCookies,
  Origin: origin,
  Referer: join(origin, from("", "/", "/?q=1", "/%zz", "/\x80", "/?utm_source=%", `/${"a".repeat(2_000)}`)),
  "User-Agent": from("Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", "Googlebot/2.1", "", "(", "x ".repeat(1_000)),
  "Sec-Fetch-Site": from("same-origin", "same-site", "cross-site", "none", "", "SAME-ORIGIN"),
  "Sec-Fetch-Mode": from("navigate", "cors", ""),
  "Sec-Fetch-Dest": from("document", "empty", "iframe", ""),
  "Sec-GPC": from("1", "0", "", "1, 1", "true"),
  DNT: from("1", "0", "", "1, 1", "null"),
  "Sec-Purpose": from("prefetch", "prefetch;prerender", ";", "", "prefetch ;"),
  "X-Remix-Revalidate": from("yes", ""),
  "X-Request-Id": from("a", "", '","event":"x'),
  __proto__name: from("x"),
  constructor: from("x", "{}"),
};
// A literal of this name would set the object's prototype.
const fields = Object.entries(grammars).map(([field, value]) => [field.replace("__name", "__"), value] as const);

/**
 * Generates a valid value, or one that is empty, arbitrary, repeated, padded, far too long, or with a forbidden byte.
 */
const mutate = (value: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 14, arbitrary: value },
    from("", " ", "\t", ",", ";", "=", '"', "-", "\x80"),
    { weight: 2, arbitrary: anyText.map(asHeaderText) },
    fc.tuple(value, fc.integer({ min: 2, max: 400 })).map(([one, times]) => Array(times).fill(one).join(",")),
    value.map((one) => ` \t ${one}\t `),
    fc.integer({ min: 1_000, max: 30_000 }).map((length) => "a".repeat(length)),
    join(value, from("\0", "\x01", "\x7f", "\r", "\n x", "\x1b")),
  );

/** One header name and its value, as Latin-1. */
export const anyField: fc.Arbitrary<[name: string, value: string]> = fc.oneof(
  // Equal weights, except for more headers that a file server reads.
  ...fields.map(([field, value]) => ({
    weight: /^(?:Range|If-|Accept-Enc)/.test(field) ? 4 : 1,
    arbitrary: mutate(value).map((text): [string, string] => [field, text]),
  })),
);
