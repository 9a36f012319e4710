import { createServer, type Server } from "node:http";
import { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limitConnections } from "./connection-limits.server";

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

describe("behind a proxy", () => {
  beforeEach(() => limitConnections(server, false, (cause) => causes.add(cause)));

  it("no idle connection is closed, and the last ones are reserved for health checks from this machine", () => {
    const crowd = connectMany(most, () => "192.0.2.1");
    expect(isOpen(connectFrom("192.0.2.1"))).toBe(false);
    expect(crowd.every(isOpen)).toBe(true);
    const checks = connectMany(reserved, (at) => ["127.0.0.1", "::1", "::ffff:127.0.0.1"][at % 3]!);
    expect(checks.every(isOpen)).toBe(true);
    expect(isOpen(connectFrom("127.0.0.1"))).toBe(false);
    expect([...causes]).toEqual(["connections"]);
  });
});
