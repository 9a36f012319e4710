import type { Server } from "node:http";
import type { Socket } from "node:net";
import { rateLimitKey } from "~/lib/http/client-address";

/** The open connections of a server. */
export interface Connections {
  all: ReadonlySet<Socket>;
  /** Finds the connections of the same peer (a client or the proxy in front), with this one while it is open. */
  fromPeerOf: (socket: Socket) => ReadonlySet<Socket>;
  /**
   * Tracks a server's connections from now on. Call it before `listen` and before adding listeners that read the sets.
   */
  watch: (server: Server) => void;
}

const none: ReadonlySet<Socket> = new Set();

/** Tracks open connections, in total and by peer. Node's API only counts connections or closes them. */
export function createConnections(): Connections {
  const all = new Set<Socket>();
  const byPeer = new Map<string, Set<Socket>>();
  // A closed socket no longer has its remote address.
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
