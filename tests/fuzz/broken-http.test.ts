import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { exchange } from "./support/exchange";
import { requireQuietLog, useFuzzedSite } from "./support/prove";

const product = useFuzzedSite();

const host = "Host: localhost\r\n";
const form = "Content-Type: application/x-www-form-urlencoded\r\n";

const hostile: [string, string][] = [
  [
    "a length and chunks",
    `POST /contact HTTP/1.1\r\n${host}${form}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ["a bare line feed in a header", `GET / HTTP/1.1\r\n${host}X-A: b\nSet-Cookie: evil=1\r\n\r\n`],
  ["thousands of headers", `GET / HTTP/1.1\r\n${host}${"X-Header: value\r\n".repeat(5_000)}\r\n`],
  ["a long address", `GET /${"a".repeat(60_000)} HTTP/1.1\r\n${host}\r\n`],
  ["a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
  ["a traversal", `GET /../../../../etc/passwd HTTP/1.1\r\n${host}\r\n`],
  ["a traversal with backslashes", `GET /assets/..\\..\\..\\package.json HTTP/1.1\r\n${host}\r\n`],
  ["the settings file", `GET /.env HTTP/1.1\r\n${host}\r\n`],
  ["the data folder", `GET /data/secrets.json HTTP/1.1\r\n${host}\r\n`],
  ["a split response", `GET /%0d%0aSet-Cookie:%20evil=1 HTTP/1.1\r\n${host}\r\n`],
];

describe("malformed HTTP", () => {
  it.each(hostile)(
    "responds to %s with a clear 4xx or a redirect, and leaks or injects nothing",
    async (_name, bytes) => {
      const { status, text } = await exchange(product.url, Buffer.from(bytes, "latin1"));
      expect(status === 308 || (status >= 400 && status < 500), text.slice(0, 200)).toBe(true);
      expect(text).not.toMatch(/^set-cookie: evil/im);
      expect(text).not.toMatch(/root:x:|"name": "advisory-website"|publishable_key/);
      // One request gets one response: a second would belong to a smuggled request.
      expect(text.match(/^HTTP\/1\.1 \d{3} /gm)).toHaveLength(1);
    },
  );

  it("hangs up on a client that uses it as a proxy", async () => {
    const { status, isHungUp } = await exchange(product.url, `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`);
    expect({ status, isHungUp }).toEqual({ status: 0, isHungUp: true });
  });

  it("serves other clients while some send requests and never read", async () => {
    const requests = `GET / HTTP/1.1\r\n${host}\r\n`.repeat(2_000);
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(Number(new URL(product.url).port), "127.0.0.1", () => socket.write(requests));
      return socket.on("error", () => {}).pause();
    });
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    // All of them are still open: more than their buffers hold is due to each.
    for (let count = 0; count < 5; count++) expect((await fetch(product.url)).status).toBe(200);
    expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
    for (const socket of sockets) socket.destroy();
    requireQuietLog(product);
  });
});
