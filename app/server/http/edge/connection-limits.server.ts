import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createSlots } from "./slots.server";
import type { NoteRefusal } from "./refusal-report.server";

/** An idle connection takes about 10 kB, so 2,000 of them take at most 20 MB. */
const maxConnections = 2_000;
/** Connections reserved for health checks from this machine. */
const reservedForLoopback = 16;
/**
 * A browser opens six connections, and dozens of browsers share an office's address. An IPv6 /48 is one customer, too.
 */
const maxPerPeer = 500;
/** Node counts a closed connection slightly longer than we do. Without this margin it would refuse the next one. */
const closingMargin = 64;

/**
 * Limits the number of open connections, so that memory and file descriptors do not run out. When all slots are taken,
 * the peer with the most connections loses the one that has been idle longest, and the new connection is accepted. Idle
 * connections cost an attacker nothing, so refusing new ones would leave all slots to the earliest clients.
 * @param isPeerClient true if the peer of a connection is the client itself. Behind a proxy, all visitors share the
 *   proxy's address, and the proxy may be about to reuse an idle connection. There, new connections are refused.
 */
export function limitConnections(server: Server, isPeerClient: boolean, note: NoteRefusal): void {
  const slots = createSlots<Socket>();

  function drop(socket: Socket | null): void {
    if (socket === null) return;
    slots.release(socket);
    socket.destroy();
  }

  function makeRoom(address: string): void {
    if (slots.countOfClient(address) >= maxPerPeer) {
      note("connections-of-one-peer");
      drop(slots.findLeastActive({ client: address }));
    } else if (isIPv6(address) && slots.countOfBlock(address) >= maxPerPeer) {
      note("connections-of-one-peer");
      drop(slots.findLeastActive({ block: address }));
    } else if (slots.size >= limitFor(address)) {
      note("connections");
      drop(slots.findLeastActive());
    }
  }

  server.maxConnections = maxConnections + closingMargin;
  server.on("drop", () => note("connections"));
  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? "";
    if (isPeerClient) makeRoom(address);
    if (slots.size >= limitFor(address)) {
      note("connections");
      socket.destroy();
      return;
    }
    slots.acquire(socket, address);
    socket.once("close", () => slots.release(socket));
  });
  if (!isPeerClient) return;
  const watch = ({ socket }: IncomingMessage, response: ServerResponse) => {
    // Skip pipelined requests that are still queued; there may be a thousand of them.
    if (response.socket === null) return;
    slots.touch(socket, true);
    response.once("close", () => slots.touch(socket, false));
  };
  server.prependListener("request", watch);
  server.prependListener("checkExpectation", watch);
}

function limitFor(address: string): number {
  return isLoopback(address) ? maxConnections : maxConnections - reservedForLoopback;
}

/** Recognizes the addresses that health checks use. By default, no program connects from the rest of 127.0.0.0/8. */
function isLoopback(address: string): boolean {
  return address === "127.0.0.1" || address === "::1" || address === "::ffff:127.0.0.1";
}

function isIPv6(address: string): boolean {
  return address.includes(":") && !address.startsWith("::ffff:");
}
