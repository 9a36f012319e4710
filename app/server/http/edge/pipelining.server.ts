import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.server";

/** Queued requests per connection. Browsers and proxies do not pipeline, although RFC 9112, 9.3.2, allows it. */
const maxWaiting = 16;

/**
 * Processes one request per connection at a time: a pipelined request waits until the previous response is sent. Closes
 * connections with more than {@link maxWaiting} waiting requests; the client may resend them.
 * @param listener must respond in a later turn of the event loop. Otherwise the responses to all waiting requests of
 *   one connection would follow without a pause and block the other connections
 */
export function limitPipelining(
  listener: RequestListener,
  connections: Pick<Connections, "fromPeerOf">,
): RequestListener {
  const waiting = new WeakMap<Socket, number>();

  function release(socket: Socket): void {
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
  }

  return (request: IncomingMessage, response) => {
    // Node assigns a response its socket once it may be written. Without pipelining this has happened already.
    if (response.socket !== null) {
      listener(request, response);
      return;
    }
    const { socket } = request;
    const count = waiting.get(socket) ?? 0;
    if (socket.destroyed) return;
    if (count >= maxWaiting) {
      socket.destroy();
      resumeOneByOne(connections.fromPeerOf(socket));
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
 * Resumes connections one per turn of the event loop. Node parses everything that a connection has received, up to 64
 * kB, in one go, and processes all connections before other work runs. Thirty of them with a thousand requests each
 * would block the site for half a second.
 */
function resumeOneByOne(sockets: ReadonlySet<Socket>): void {
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
