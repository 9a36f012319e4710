import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { useSite } from "../support/world";

const site = useSite({}, { timeouts: { body: 3_600_000 } });

it.each(["PUT /contact", "POST /healthz", "GET /about", "POST http://localhost/"])(
  "does not wait for an incomplete body that it does not read: %s",
  async (request) => {
    const socket = connect(Number(new URL(site.url).port), "127.0.0.1");
    const fields = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n";
    socket.write(`${request} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`);
    let received = "";
    socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
    await once(socket, "close");
    expect(received).toMatch(/^HTTP\/1\.1 (?!408)\d{3} /);
  },
);
