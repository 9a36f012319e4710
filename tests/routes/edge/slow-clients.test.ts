import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSite, type TestSite } from "../../support/site";

let product: TestSite;
let readers: { since: number; sockets: Socket[] };

beforeAll(async () => {
  product = await startSite({}, { timeouts });
  await untilKeptInMemory("/");
  // They begin here, so that they and the slow senders wait at the same time.
  readers = { since: performance.now(), sockets: await Promise.all(Array.from({ length: 30 }, askWithoutReading)) };
});
afterAll(async () => {
  await product.stop();
});

/** A third of what production waits. */
const timeouts = { headers: 3_000, body: 3_000, reader: 12_000, connectionCheck: 1_000 };

const connections = 150;
/**
 * After how many bytes a slow sender must have been hung up on, who sends one a second. Bytes and not seconds, because on a
 * machine that has much else to do both sides are late. On an idle one it takes 4 and 11; Node itself, told no limits,
 * lets 60 and 300 pass.
 */
const maxBytes = { headers: 55, body: 150 };

const body = "name=Grace&message=";
const slowWays = {
  headers: "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
  body: `POST /contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\n${body}`,
};

describe("slow senders (slowloris)", () => {
  it("who drip headers or a body are hung up on, with 408, and others are served meanwhile", async () => {
    let servedMeanwhile = 0;
    const ends = Promise.all(
      (["headers", "body"] as const).flatMap((way) =>
        Array.from({ length: connections }, () => drip(slowWays[way], maxBytes[way])),
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
    // A client may have eight bodies under way.
    expect(statuses.slice(connections).filter((status) => status === "408")).toHaveLength(8);
    expect(statuses.slice(connections).filter((status) => status === "503")).toHaveLength(connections - 8);
    expect(servedMeanwhile).toBeGreaterThan(5);
  }, 400_000);
});

describe("bodies", () => {
  it("that come at 2 kB/s are read to the end, however long they take", async () => {
    const length = 10_000;
    const socket = connect(Number(new URL(product.url).port), "127.0.0.1");
    socket.write(post(length));
    for (let sent = 0; sent < length; sent += 1_000) {
      socket.write("x".repeat(1_000));
      await wait(500);
    }
    const [chunk] = (await once(socket, "data")) as [Buffer];
    expect(chunk.toString().slice(0, 12)).toBe("HTTP/1.1 400");
    // The connection is kept, as after any other request.
    let next = "";
    socket.on("data", (more: Buffer) => (next += more.toString("latin1")));
    socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await expect.poll(() => next).toContain("HTTP/1.1 200 OK");
    socket.destroy();
  });

  it.each(["PUT /contact", "POST /healthz", "GET /about", "POST http://localhost/"])(
    "that no one reads do not hold the connection: %s",
    async (request) => {
      const socket = connect(Number(new URL(product.url).port), "127.0.0.1");
      const began = performance.now();
      socket.write(post(100).replace("POST /contact", request));
      socket.resume();
      await once(socket, "close");
      expect(performance.now() - began).toBeLessThan(timeouts.body - 500);
    },
  );
});

function post(length: number): string {
  const fields = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\n`;
  return `POST /contact HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`;
}

describe("clients who ask and never read", () => {
  it("are hung up on, and what they had asked for is not kept for them", async () => {
    const [first, ...others] = await readUntilHungUp();
    expect(first).toMatchObject({ isClosed: true });
    expect(others.filter(({ isClosed }) => !isClosed)).toEqual([]);
    expect(others.length).toBeGreaterThan(15);
    expect(Math.max(...others.map(({ pages }) => pages))).toBeLessThan(askedFor);
  }, 400_000);
});

/** Much more than the buffers of two kernels hold. */
const askedFor = 1_000;

/** What a client finds who begins to read: whoever is still served is sent all of it. */
interface Received {
  isClosed: boolean;
  pages: number;
}

/**
 * Only reading tells whether the other side has hung up, and it lets the answers flow again where it has not. So one after
 * the other is spent on finding out, and then all that are left.
 */
async function readUntilHungUp(): Promise<Received[]> {
  const sockets = [...readers.sockets];
  let found: Received;
  do {
    await wait(2_000);
    found = await readToTheEnd(sockets.shift() as Socket);
  } while (!found.isClosed && sockets.length > 16);
  // They began together, so none can be much behind; as long as a quarter of what it took is much.
  await wait((performance.now() - readers.since) / 4);
  return [found, ...(await Promise.all(sockets.map(readToTheEnd)))];
}

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
function readToTheEnd(socket: Socket): Promise<Received> {
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

/** Sends a byte a second until the other side hangs up or so many have been sent. */
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
    // A reset is a hang-up as well.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearInterval(dripping);
      resolve({ isClosed, text });
    });
  });
}

/** A page that must first be rendered costs a hundred times more, and each of those who ask would be one. */
async function untilKeptInMemory(path: string): Promise<void> {
  // Only what is kept has a tag to be compared with.
  while (!(await fetch(product.url + path)).headers.has("etag")) await wait(100);
}
