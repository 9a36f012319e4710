import type { Server } from "node:http";
import type { Socket } from "node:net";
import { rateLimitKey } from "~/lib/http/client-address";

/** The open connections of a server. */
export interface Connections {
  all: ReadonlySet<Socket>;
  /** Those that come from where this one comes from: a client, or the proxy in front; itself among them while it is open. */
  fromPeerOf: (socket: Socket) => ReadonlySet<Socket>;
  /** Keeps count of a server's connections from here on. Call it before the server listens, and before who asks. */
  watch: (server: Server) => void;
}

const none: ReadonlySet<Socket> = new Set();

/** Keeps which connections are open, in all and by peer: Node tells only how many there are, or which are idle. */
export function createConnections(): Connections {
  const all = new Set<Socket>();
  const byPeer = new Map<string, Set<Socket>>();
  // A socket that is closed no longer knows where it came from.
  const peers = new WeakMap<Socket, Set<Socket>>();

  function add(socket: Socket): void {
    const peer = rateLimitKey(socket.remoteAddress ?? "");
    const fromPeer = byPeer.get(peer) ?? new Set();
    byPeer.set(peer, fromPeer.add(socket));
    peers.set(socket, fromPeer);
    all.add(socket);
    socket.once("close", () => {
      all.delete(socket);
      fromPeer.delete(socket);
      if (fromPeer.size === 0) byPeer.delete(peer);
    });
  }

  return {
    all,
    fromPeerOf: (socket) => peers.get(socket) ?? none,
    watch: (server) => void server.on("connection", add),
  };
}
