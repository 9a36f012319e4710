import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSite, type TestSite } from "../../support/site";

let product: TestSite;
let readers: { since: number; sockets: Socket[] };

beforeAll(async () => {
  product = await startSite({}, { timeouts });
  await waitUntilCached("/");
  // These start here so that they wait at the same time as the slow senders.
  readers = { since: performance.now(), sockets: await Promise.all(Array.from({ length: 30 }, sendWithoutReading)) };
});
afterAll(async () => {
  await product.stop();
});

/** A third of production's timeouts. */
const timeouts = { headers: 3_000, body: 3_000, reader: 12_000, connectionCheck: 1_000 };

const connections = 150;
/**
 * Bytes that a slow sender, at one byte a second, may send before the server must have hung up. The limit counts bytes
 * and not seconds, because both sides are late on a busy machine. An idle machine takes 4 and 11; Node's own defaults
 * allow 60 and 300.
 */
const maxBytes = { headers: 55, body: 150 };

const body = "name=Grace&message=";
const slowRequests = {
  headers: "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
  body: `POST /contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\n${body}`,
};

describe("slow senders (slowloris)", () => {
  it("get 408 and are disconnected, while other clients are served", async () => {
    let servedMeanwhile = 0;
    const ends = Promise.all(
      (["headers", "body"] as const).flatMap((part) =>
        Array.from({ length: connections }, () => drip(slowRequests[part], maxBytes[part])),
      ),
    );
    let ended: Awaited<typeof ends> | null = null;
    while (ended === null) {
      expect((await fetch(product.url)).status).toBe(200);
      servedMeanwhile++;
      ended = await Promise.race([ends, wait(250, null)]);
    }
    expect(ended.filter(({ isClosed }) => !isClosed)).toEqual([]);
    const statuses = ended.map(({ text }) => text.slice(9, 12));
    expect(new Set(statuses.slice(0, connections))).toEqual(new Set(["408"]));
    // A client may send eight bodies at a time.
    expect(statuses.slice(connections).filter((status) => status === "408")).toHaveLength(8);
    expect(statuses.slice(connections).filter((status) => status === "503")).toHaveLength(connections - 8);
    expect(servedMeanwhile).toBeGreaterThan(5);
  }, 400_000);
});

describe("bodies", () => {
  it("at 2 kB/s are read to the end, however long they take", async () => {
    const length = 10_000;
    const socket = connect(Number(new URL(product.url).port), "127.0.0.1");
    socket.write(post(length));
    for (let sent = 0; sent < length; sent += 1_000) {
      socket.write("x".repeat(1_000));
      await wait(500);
    }
    const [chunk] = (await once(socket, "data")) as [Buffer];
    expect(chunk.toString().slice(0, 12)).toBe("HTTP/1.1 400");
    // The connection stays open, as after any other request.
    let next = "";
    socket.on("data", (more: Buffer) => (next += more.toString("latin1")));
    socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await expect.poll(() => next).toContain("HTTP/1.1 200 OK");
    socket.destroy();
  });

  it("that are refused for their length count no longer when their clients hang up", async () => {
    for (let sent = 0; sent < 20; sent += 1) {
      const socket = connect(Number(new URL(product.url).port), "127.0.0.1");
      socket.write(post(2 ** 31));
      expect(String(await once(socket, "data")).slice(9, 12)).toBe("413");
      socket.destroy();
    }
  });

  it.each(["PUT /contact", "POST /healthz", "GET /about", "POST http://localhost/"])(
    "without a reader do not hold the connection: %s",
    async (request) => {
      const site = await startSite({}, { timeouts: { body: 3_600_000 } });
      const socket = connect(Number(new URL(site.url).port), "127.0.0.1");
      socket.write(post(100).replace("POST /contact", request));
      let received = "";
      socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
      // The time for a body has not passed: an hour.
      await once(socket, "close");
      expect(received).toMatch(/^HTTP\/1\.1 (?!408)\d{3} /);
      await site.stop();
    },
  );
});

function post(length: number): string {
  const fields = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\n`;
  return `POST /contact HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`;
}

describe("clients that send requests and never read", () => {
  it("are disconnected, and their pending responses are dropped", async () => {
    const [first, ...others] = await readUntilHungUp();
    expect(first).toMatchObject({ isClosed: true });
    expect(others.filter(({ isClosed }) => !isClosed)).toEqual([]);
    expect(others.length).toBeGreaterThan(15);
    expect(Math.max(...others.map(({ pages }) => pages))).toBeLessThan(requestCount);
  }, 400_000);
});

/** Far more than the buffers of two kernels hold. */
const requestCount = 1_000;

/** Data that a client receives once it starts to read. A client that is still connected gets all of it. */
interface ReadResult {
  isClosed: boolean;
  pages: number;
}

/**
 * Only a read reveals whether the other side has hung up, and a read lets responses flow again if it has not. So this
 * spends one client after the other on finding out, and then reads all that are left.
 */
async function readUntilHungUp(): Promise<ReadResult[]> {
  const sockets = [...readers.sockets];
  let found: ReadResult;
  do {
    await wait(2_000);
    found = await readToTheEnd(sockets.shift() as Socket);
  } while (!found.isClosed && sockets.length > 16);
  // They started together, so none can be far behind. A quarter of the time taken is a generous margin.
  await wait((performance.now() - readers.since) / 4);
  return [found, ...(await Promise.all(sockets.map(readToTheEnd)))];
}

/** Requests a page many times without reading the responses. */
function sendWithoutReading(): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(product.url).port), "127.0.0.1", () => {
      socket.pause();
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(requestCount));
      resolve(socket);
    });
    // A reset is a disconnection as well.
    socket.on("error", () => {});
  });
}

/** Reads the remaining data until the other side hangs up or falls silent. */
function readToTheEnd(socket: Socket): Promise<ReadResult> {
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

/** Sends a byte a second until the other side hangs up or the limit is reached. */
function drip(beginning: string, most: number): Promise<{ isClosed: boolean; text: string }> {
  return new Promise((resolve) => {
    let text = "";
    let sent = 0;
    let isClosed = true;
    const socket = connect(Number(new URL(product.url).port), "127.0.0.1", () => socket.write(beginning));
    const dripping = setInterval(() => {
      if (sent++ < most) socket.write("x");
      else {
        isClosed = false;
        socket.destroy();
      }
    }, 1_000);
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    // A reset is a disconnection as well.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearInterval(dripping);
      resolve({ isClosed, text });
    });
  });
}

/**
 * Waits until the page is in memory: rendering costs a hundred times more, and each of these clients would trigger it.
 */
async function waitUntilCached(path: string): Promise<void> {
  // Only a page in memory has an ETag.
  while (!(await fetch(product.url + path)).headers.has("etag")) await wait(100);
}
