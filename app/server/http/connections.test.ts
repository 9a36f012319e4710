import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, Socket, connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Slots, createBodyReader, createSlots, limitConnections, limitPipelining } from "./connections.server";

/** All connections, without those reserved for health checks. */
const most = 1_984;
const reserved = 16;
const maxPerPeer = 500;

let server: Server;
let causes: Set<string>;
let sockets: Socket[];
beforeEach(() => {
  server = createServer();
  causes = new Set();
  sockets = [];
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

/** Connects from an address. Tests cannot use a whole network on the wire. */
function connectFrom(address: string): Socket {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: address });
  server.emit("connection", socket);
  sockets.push(socket);
  return socket;
}

const isOpen = ({ destroyed }: Socket) => !destroyed;
const connectMany = (count: number, addressOf: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => connectFrom(addressOf(at)));
/** An address in its own network. */
const elsewhere = (at: number) => `198.${at >> 8}.${at & 255}.1`;

describe("without a proxy", () => {
  beforeEach(() => limitConnections(server, true, (cause) => causes.add(cause)));

  it("an IPv6 /48 holds as many connections as one address, and loses its longest idle one for another", () => {
    const crowd = connectMany(maxPerPeer, (at) => `2001:db8:77:${at.toString(16)}::1`);
    expect(crowd.every(isOpen)).toBe(true);
    const another = connectFrom("2001:db8:77:ffff::1");
    expect([isOpen(crowd[0]!), isOpen(crowd[1]!), isOpen(another)]).toEqual([false, true, true]);
    expect([...causes]).toEqual(["connections-of-one-peer"]);
    connectFrom("2001:db8:78::1");
    expect(crowd.filter(isOpen)).toHaveLength(maxPerPeer - 1);
  });

  it("an IPv4 /24 is not one peer", () => {
    const crowd = connectMany(maxPerPeer + 100, (at) => `203.0.113.${at % 250}`);
    expect(crowd.every(isOpen)).toBe(true);
  });

  it("the peer with the most connections loses one when none are left", () => {
    const crowd = connectMany(10, () => "203.0.113.5");
    const others = connectMany(most - 10, elsewhere);
    expect(isOpen(connectFrom("192.0.2.1"))).toBe(true);
    expect(crowd.filter(isOpen)).toHaveLength(9);
    expect(others.every(isOpen)).toBe(true);
    expect([...causes]).toEqual(["connections"]);
  });
});

it("closes no idle connection behind a proxy, and reserves the last ones for health checks from this machine", () => {
  limitConnections(server, false, (cause) => causes.add(cause));
  const crowd = connectMany(most, () => "192.0.2.1");
  expect(isOpen(connectFrom("192.0.2.1"))).toBe(false);
  expect(crowd.every(isOpen)).toBe(true);
  const checks = connectMany(reserved, (at) => ["127.0.0.1", "::1", "::ffff:127.0.0.1"][at % 3]!);
  expect(checks.every(isOpen)).toBe(true);
  expect(isOpen(connectFrom("127.0.0.1"))).toBe(false);
  expect([...causes]).toEqual(["connections"]);
});

/** Creates slots with a clock that advances by one at each reading. */
function createTestSlots() {
  let time = 0;
  return createSlots<string>(() => ++time);
}

const countOfClient = (slots: Slots<string>) => (address: string) => slots.ofClient(address).size;

describe("slots", () => {
  it("are counted by client and by block", () => {
    const slots = createTestSlots();
    slots.acquire("a", "192.0.2.1");
    slots.acquire("b", "::ffff:192.0.2.1");
    slots.acquire("c", "192.0.2.2");
    slots.acquire("d", "2001:db8:77:1::1");
    slots.acquire("e", "2001:db8:77:1::2");
    slots.acquire("f", "2001:db8:77:2::1");
    expect(["192.0.2.1", "192.0.2.2", "2001:db8:77:1::9", "2001:db8:99::"].map(countOfClient(slots))).toEqual([
      1, 1, 2, 0,
    ]);
    expect(["192.0.2.9", "2001:db8:77:9::"].map((address) => slots.ofBlock(address).size)).toEqual([3, 3]);
    expect([...slots.besides("d")]).toEqual(["d", "e"]);
    slots.release("e");
    slots.release("e");
    expect([countOfClient(slots)("2001:db8:77:1::9"), slots.all.size, slots.all.has("e")]).toEqual([1, 5, false]);
  });

  it("are evicted from the largest client of the largest block", () => {
    const slots = createTestSlots();
    for (const holder of ["a", "b", "c"]) slots.acquire(holder, "192.0.2.1");
    for (const holder of ["d", "e"]) slots.acquire(holder, "2001:db8:77:1::");
    for (const holder of ["f", "g"]) slots.acquire(holder, "2001:db8:77:2::");
    expect(slots.findLeastActive()).toBe("d");
    expect(slots.findLeastActive(slots.ofClient("192.0.2.1"))).toBe("a");
    expect(slots.findLeastActive(slots.ofBlock("2001:db8:77:3::"))).toBe("d");
    expect(slots.findLeastActive(slots.ofClient("192.0.2.9"))).toBeNull();
  });

  it("are evicted from the longest idle holder first, and from busy holders last", () => {
    const slots = createTestSlots();
    expect(slots.findLeastActive()).toBeNull();
    for (const holder of ["a", "b", "c"]) slots.acquire(holder, "192.0.2.1");
    slots.touch("a", false);
    slots.touch("b", true);
    expect(slots.findLeastActive()).toBe("c");
    slots.touch("c", false);
    expect(slots.findLeastActive()).toBe("a");
    for (const holder of ["a", "c"]) slots.touch(holder, true);
    expect(slots.findLeastActive()).toBe("b");
  });
});

async function listen(): Promise<void> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

function open(): Socket {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  sockets.push(socket);
  return socket;
}

/** Begins to post a body of this length. */
function post(length: number): Socket {
  const socket = open();
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`);
  return socket;
}

const read = async (socket: Socket) => String((await once(socket, "data"))[0]);

const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

it("a connection with more than 16 waiting requests is closed, and all others are read on", async () => {
  const slots = limitConnections(server, false, (cause) => causes.add(cause));
  let served = 0;
  const serve: RequestListener = (_, response) => void setImmediate(() => response.end(`${(served += 1)}`));
  server.on("request", limitPipelining(serve, slots));
  await listen();
  const [crowded, other] = [open().resume(), open()];
  await expect.poll(() => slots.all.size).toBe(2);
  crowded.write(get.repeat(17));
  await expect.poll(() => served).toBe(17);
  crowded.write(get.repeat(18));
  await once(crowded, "close");
  expect(served).toBe(18);
  other.write(get);
  expect(await read(other)).toMatch(/^HTTP\/1\.1 200 /);
});

describe("the body reader", () => {
  let begun = 0;

  async function start(graceMs: number): Promise<void> {
    const reader = createBodyReader(0, graceMs, (cause) => causes.add(cause));
    server.on("request", async (request, response) => {
      begun += 1;
      const body = await reader.read(request, response);
      if (body !== null) response.end(`${body.length} bytes`);
    });
    await listen();
  }

  it("refuses a body that arrives too slowly with 408, and closes the connection", async () => {
    await start(100);
    const socket = post(60_000);
    expect(await read(socket)).toMatch(/^HTTP\/1\.1 408 /);
    await once(socket, "close");
    expect([...causes]).toEqual(["slow-bodies"]);
  });

  it("reads a body at the lowest rate, however long it takes, and keeps the connection", async () => {
    await start(500);
    const socket = post(6_000);
    for (let sent = 0; sent < 6; sent++) {
      socket.write("x".repeat(1_000));
      await wait(200);
    }
    expect(await read(socket)).toMatch(/^HTTP\/1\.1 200 [^]*6000 bytes$/);
    socket.write(get);
    expect(await read(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("refuses a client's ninth incomplete body with 503, and counts none whose client hung up", async () => {
    await start(3_600_000);
    for (let gone = 0; gone < 20; gone++) {
      // The length alone ends the reading.
      const socket = post(2 ** 31);
      expect(await read(socket)).toMatch(/^HTTP\/1\.1 200 /);
      socket.destroy();
    }
    begun = 0;
    const [first] = Array.from({ length: 8 }, () => post(100));
    await expect.poll(() => begun).toBe(8);
    const ninth = post(100);
    await expect.poll(() => [...causes]).toEqual(["bodies-of-one-client"]);
    expect(await read(ninth)).toMatch(/^HTTP\/1\.1 503 /);
    first?.write("x".repeat(100));
    expect(await read(first!)).toMatch(/^HTTP\/1\.1 200 [^]*100 bytes$/);
  });
});
