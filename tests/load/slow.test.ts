import { type Socket, connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Product, startProduct } from "../support/product";

let product: Product;
let readers: { since: number; sockets: Socket[] };

beforeAll(async () => {
  product = await startProduct();
  // They begin here, so that they and the slow senders wait at the same time.
  readers = { since: performance.now(), sockets: await Promise.all(Array.from({ length: 30 }, askWithoutReading)) };
});
afterAll(async () => {
  await product.stop();
});

const connections = 150;
/** Node looks for slow senders now and then, so a connection outlives its limit by up to that long. */
const patience = { headersMs: 25_000, bodyMs: 50_000, readersMs: 85_000 };

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

describe("clients who ask and never read", () => {
  it(
    "are hung up on, and what they had asked for is not kept for them",
    async () => {
      await wait(Math.max(0, readers.since + patience.readersMs - performance.now()));
      // Whoever is still served now would be sent all of it.
      const received = await Promise.all(readers.sockets.map(readToTheEnd));
      expect(received.filter(({ isClosed }) => !isClosed)).toEqual([]);
      expect(Math.max(...received.map(({ pages }) => pages))).toBeLessThan(askedFor);
    },
    patience.readersMs + 30_000,
  );
});

/** Much more than the buffers of two kernels hold. */
const askedFor = 1_000;

/** Asks for a page again and again, and reads nothing of the answers. */
function askWithoutReading(): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(product.url).port), "127.0.0.1", () => {
      socket.pause();
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(askedFor));
      resolve(socket);
    });
    // A reset is a hang-up as well.
    socket.on("error", () => {});
  });
}

/** Reads what there still is to read, until the other side hangs up or nothing comes for a while. */
function readToTheEnd(socket: Socket): Promise<{ isClosed: boolean; pages: number }> {
  return new Promise((resolve) => {
    let text = "";
    const end = (isClosed: boolean) => resolve({ isClosed, pages: text.split("HTTP/1.1 200 ").length - 1 });
    if (socket.destroyed) return end(true);
    socket.setTimeout(10_000, () => {
      end(false);
      socket.destroy();
    });
    socket.on("close", () => end(true));
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    socket.resume();
  });
}

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
