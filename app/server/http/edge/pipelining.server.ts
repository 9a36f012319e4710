import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.server";

/** Browsers and proxies send no request before the answer to the last (RFC 9112, 9.3.2, allows it). */
const maxWaiting = 16;

/**
 * Lets each connection have one request at a time: a pipelined one waits, untouched, until the answer before it has left.
 * A connection on which more of them wait than anybody sends is closed; its client may send the rest again.
 * @param listener answers in a later turn of the event loop: else the answers to many waiting requests would follow each other
 *   at once, and keep everybody else waiting
 */
export function takeTurns(listener: RequestListener, connections: Pick<Connections, "fromPeerOf">): RequestListener {
  const waiting = new WeakMap<Socket, number>();

  function release(socket: Socket): void {
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
  }

  return (request: IncomingMessage, response) => {
    // Node gives a response its socket when it is its turn to be written, which is at once where nothing is pipelined.
    if (response.socket !== null) {
      listener(request, response);
      return;
    }
    const { socket } = request;
    const count = waiting.get(socket) ?? 0;
    if (socket.destroyed) return;
    if (count >= maxWaiting) {
      socket.destroy();
      readInTurns(connections.fromPeerOf(socket));
      return;
    }
    waiting.set(socket, count + 1);
    response.once("socket", () => {
      release(socket);
      listener(request, response);
    });
  };
}

/**
 * Has connections read one in each turn of the event loop. Node parses all of what has come on a connection, up to 64 kB, in
 * one go, and goes through all connections before anybody else has a turn: thirty of them with a thousand requests each
 * would keep everybody out for half a second.
 */
function readInTurns(sockets: ReadonlySet<Socket>): void {
  const paused = [...sockets].filter((socket) => !socket.destroyed && !socket.isPaused());
  for (const socket of paused) socket.pause();
  const resumeNext = () => {
    const next = paused.shift();
    if (next === undefined) return;
    next.resume();
    setImmediate(resumeNext);
  };
  setImmediate(resumeNext);
}
