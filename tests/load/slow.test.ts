import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Product, startProduct } from "../support/product";

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});
afterAll(async () => {
  await product.stop();
});

const connections = 150;
/** Node looks for slow senders now and then, so a connection outlives its limit by up to that long. */
const patience = { headersMs: 25_000, bodyMs: 50_000 };

const body = "name=Grace&message=";
const slowWays: [string, number][] = [
  ["GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", patience.headersMs],
  [
    `POST /contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\n${body}`,
    patience.bodyMs,
  ],
];

describe("slow senders (slowloris)", () => {
  it(
    "who drip headers or a body are hung up on in time, with 408, and others are served meanwhile",
    async () => {
      const all = slowWays.flatMap(([beginning, patienceMs]) =>
        Array.from({ length: connections }, () => drip(beginning, patienceMs)),
      );
      const ends = Promise.all(all);
      const waits: number[] = [];
      let ended: Awaited<typeof ends> | null = null;
      while (ended === null) {
        const begin = performance.now();
        expect((await fetch(product.url)).status).toBe(200);
        waits.push(performance.now() - begin);
        const pause = new Promise<null>((resolve) => setTimeout(() => resolve(null), 250));
        ended = await Promise.race([ends, pause]);
      }
      expect(ended.filter(({ isClosed }) => !isClosed)).toHaveLength(0);
      expect(new Set(ended.map(({ text }) => text.slice(0, 13)))).toEqual(new Set(["HTTP/1.1 408 "]));
      expect(waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)]).toBeLessThan(500);
    },
    patience.bodyMs + 20_000,
  );
});

/** Sends a byte a second until the other side hangs up or the time is over. */
function drip(beginning: string, patienceMs: number): Promise<{ isClosed: boolean; text: string }> {
  return new Promise((resolve) => {
    let text = "";
    let isClosed = true;
    const socket = connect(Number(new URL(product.url).port), "127.0.0.1", () => socket.write(beginning));
    const dripping = setInterval(() => socket.writable && socket.write("x"), 1_000);
    const givingUp = setTimeout(() => {
      isClosed = false;
      socket.destroy();
    }, patienceMs);
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    // A reset is a hang-up as well.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearInterval(dripping);
      clearTimeout(givingUp);
      resolve({ isClosed, text });
    });
  });
}
