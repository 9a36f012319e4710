import * as fc from "fast-check";

/** Generates one of these values. */
export const from = (...values: string[]) => fc.constantFrom(...values);
/** Generates one to `maxLength` items, with separators that RFC 9110, 5.6.1, allows, and others. */
export const list = (item: fc.Arbitrary<string>, maxLength = 4) =>
  fc
    .tuple(fc.array(item, { minLength: 1, maxLength }), from(",", ", ", ",,", ";"))
    .map(([items, by]) => items.join(by));
/** Concatenates the parts. */
export const join = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((some) => some.join(""));

/** Integers at limits, and malformed numbers. */
export const number = from(
  "0",
  "-0",
  "00",
  "1",
  "2",
  "5",
  "+5",
  "-1",
  "806",
  "807",
  "808",
  "65535",
  "65536",
  "2147483648",
  "4294967296",
  "9007199254740993",
  "99999999999999999999",
  "1e9",
  "0x10",
  "1.5",
  "NaN",
  "Infinity",
  "five",
  " 5",
  "5 5",
  "",
);
/** `Range` (RFC 9110, 14.2). */
export const range = join(
  from("bytes=", "bytes=", "bytes=", "BYTES=", "bytes", "items=", "="),
  list(join(number, from("-", "-", "-", "", "--"), number)),
);

/** Dates in the three formats of RFC 9110, 5.6.7, and malformed ones. */
export const date = from(
  "Sun, 06 Nov 1994 08:49:37 GMT",
  "Sunday, 06-Nov-94 08:49:37 GMT",
  "Sun Nov  6 08:49:37 1994",
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "Fri, 31 Dec 9999 23:59:59 GMT",
  "Sat, 01 Jan 275761 00:00:00 GMT",
  "Wed, 31 Feb 2026 25:61:61 GMT",
  "Thu, 26 Nov 2026 12:00:00 +9999",
  "2026-11-26T12:00:00Z",
  "0",
  "-1",
  "GMT",
  ",",
);
/** Entity tags (RFC 9110, 8.8.3). */
export const tag = join(
  from("", "W/", "w/", "W"),
  from('"a"', '"', '""', "a", '"a\\"b"', '"W/\\"', "*", '"\xff"', '"a b"'),
);

/** Weights (RFC 9110, 12.4.2). */
export const quality = join(
  from("", "", ";", ";q=", "; q=", ";Q=", ";q=;q="),
  from("", "0", "0.000", "1", "1.001", "-1", "1e9", ".5", "NaN", '"1"', "q"),
);
/** Content codings with weights (RFC 9110, 12.5.3). */
export const coding = join(
  from("br", "gzip", "deflate", "zstd", "identity", "*", "x-gzip", "BR", "abracadabra", "constructor", "", "aes128gcm"),
  quality,
);
/** Language ranges with weights (RFC 9110, 12.5.4). */
export const language = join(
  from(
    "en",
    "de-DE",
    "zh-Hant-TW",
    "i-klingon",
    "*",
    "en_US",
    "x",
    "-",
    "e",
    "*-CH",
    "__proto__",
    "a".repeat(300),
    "en-".repeat(99),
  ),
  quality,
);
/** Media types with parameters (RFC 9110, 8.3.1). */
export const mediaType = join(
  from(
    "text/html",
    "*/*",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
  ),
  from(
    "",
    ";",
    "; charset=utf-16",
    '; boundary="',
    `; boundary=${"b".repeat(80)}`,
    ";q=0",
    "/",
    "; boundary=x; boundary=y",
    ";=;=;",
  ),
);

/** Addresses as proxies write them, and malformed ones. */
export const address = from(
  "203.0.113.7",
  "203.0.113.7:5001",
  "2001:db8::1",
  "[2001:db8::1]",
  "[2001:db8::1]:443",
  "::ffff:203.0.113.7",
  "fe80::1%eth0",
  "unknown",
  "_hidden",
  "127.1",
  "0x7f000001",
  "999.1.1.1",
  "::::",
  "[",
  "]:",
  "%",
  "",
  "localhost",
  "1".repeat(100),
);
/** Elements of `Forwarded` (RFC 7239), or of `X-Forwarded-For`. */
export const hop = join(
  from("", "", "for=", "by=", 'for="', "proto=", "host="),
  address,
  from("", "", '"', ";proto=https"),
);
/** Hosts with or without a port (RFC 9110, 7.2). */
export const name = join(
  from(
    "localhost",
    "firm.example",
    "127.0.0.1",
    "[::1]",
    "[::1",
    "a b",
    "a/b",
    "a@b",
    "xn--",
    "-",
    ".",
    "",
    "\xe4.example",
    "a,b",
  ),
  from("", "", ":80", ":0", ":65536", ":99999", ":", ":x", ":-1", ".", "#", "?", "\\"),
);
/** Origins (RFC 6454, 7). */
export const origin = join(
  from("http://", "https://", "HTTP://", "//", "null", "blob:", "data:,", "file://", "chrome-extension://", ""),
  name,
);
/** URLs as `Referer` holds them. */
export const url = join(
  origin,
  from("", "/", "/?q=1", "/%", "/%zz", "/\x80", "/#", "/?utm_source=%", `/${"a".repeat(2_000)}`),
);
