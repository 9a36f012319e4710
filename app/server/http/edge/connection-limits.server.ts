import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createPlaces } from "./places.server";
import type { NoteRefusal } from "./refusal-report.server";

/** An idle connection takes some 10 kB, so that this many take no more than 20 MB. */
const maxConnections = 2_000;
/** Keeps room for the machine's own health check. */
const reservedForLoopback = 16;
/** A browser opens six, and behind the address of an office stand some dozens of them. An IPv6 /48 is one customer, too. */
const maxPerPeer = 500;
/** Node forgets a closed connection a little later than we do, and would refuse the one that takes its place. */
const closing = 64;

/**
 * Bounds how many connections are open, so that memory and file descriptors last for everybody. When places run out, the
 * peer that holds most gives up the connection that has been idle longest, and the newcomer is served: idle connections
 * cost an attacker nothing, so that refusing newcomers would leave the site to those who came first.
 * @param isPeerClient true if the other end of a connection is the client's own machine. Behind a proxy all visitors share
 *   the proxy's address. A proxy may be about to use an idle connection, so none is closed there: newcomers are refused.
 */
export function limitConnections(server: Server, isPeerClient: boolean, note: NoteRefusal): void {
  const places = createPlaces<Socket>();

  function giveUp(socket: Socket | null): void {
    if (socket === null) return;
    places.free(socket);
    socket.destroy();
  }

  function makeRoom(address: string): void {
    if (places.countOfClient(address) >= maxPerPeer) {
      note("connections-of-one-peer");
      giveUp(places.findLeastActive({ client: address }));
    } else if (isIPv6(address) && places.countOfBlock(address) >= maxPerPeer) {
      note("connections-of-one-peer");
      giveUp(places.findLeastActive({ block: address }));
    } else if (places.size >= mostFor(address)) {
      note("connections");
      giveUp(places.findLeastActive());
    }
  }

  server.maxConnections = maxConnections + closing;
  server.on("drop", () => note("connections"));
  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? "";
    if (isPeerClient) makeRoom(address);
    if (places.size >= mostFor(address)) {
      note("connections");
      socket.destroy();
      return;
    }
    places.take(socket, address);
    socket.once("close", () => places.free(socket));
  });
  if (!isPeerClient) return;
  const watch = ({ socket }: IncomingMessage, response: ServerResponse) => {
    // A pipelined request waits for its turn, and there may be a thousand of them.
    if (response.socket === null) return;
    places.touch(socket, true);
    response.once("close", () => places.touch(socket, false));
  };
  server.prependListener("request", watch);
  server.prependListener("checkExpectation", watch);
}

function mostFor(address: string): number {
  return isLoopback(address) ? maxConnections : maxConnections - reservedForLoopback;
}

/** The address that a health check comes from; others of 127.0.0.0/8 are no program's by default. */
function isLoopback(address: string): boolean {
  return address === "127.0.0.1" || address === "::1" || address === "::ffff:127.0.0.1";
}

function isIPv6(address: string): boolean {
  return address.includes(":") && !address.startsWith("::ffff:");
}
