import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addressOf, blockKey, networkKey, rateLimitKey } from "~/lib/http/client-address";
import { maxDrainedBytes, maxFormBytes } from "../forms/read-form.server";
import { type NoteRefusal, sendText } from "./refusals.server";

/** A connection or an incomplete body, and the client that holds it. */
interface Slot {
  readonly client: string;
  readonly block: string;
  since: number;
  isBusy: boolean;
}

/** The slots that clients hold now. It has no limit: callers compare the counts with theirs. */
export type Slots<Holder> = ReturnType<typeof createSlots<Holder>>;

/** Creates an empty set of slots. */
export function createSlots<Holder>(now: () => number = () => performance.now()) {
  const slots = new Map<Holder, Slot>();
  const clients = new Map<string, Set<Holder>>();
  const blocks = new Map<string, Set<Holder>>();
  const none: ReadonlySet<Holder> = new Set();
  const groupsOf = ({ client, block }: Slot) => [[clients, client] as const, [blocks, block] as const];

  /** The client with the most slots goes first; of its holders the idle ones, and then the least recently active. */
  function goesBefore(one: Slot, other: Slot): boolean {
    const more = (clients.get(one.client)?.size ?? 0) - (clients.get(other.client)?.size ?? 0);
    if (more !== 0) return more > 0;
    return one.isBusy === other.isBusy ? one.since < other.since : other.isBusy;
  }

  function findLargestBlock(): ReadonlySet<Holder> {
    let largest = none;
    for (const holders of blocks.values()) if (holders.size > largest.size) largest = holders;
    return largest;
  }

  return {
    all: slots as Pick<ReadonlyMap<Holder, unknown>, "size" | "has" | "keys">,
    /** Finds the holders of one client: an IPv4 address or an IPv6 /64. */
    ofClient: (address: string) => clients.get(rateLimitKey(address)) ?? none,
    /** Finds the holders in an IPv6 /48 or an IPv4 /24. */
    ofBlock: (address: string) => blocks.get(blockKey(address)) ?? none,
    /** Finds the holders of the same client as this one; a closed connection no longer knows its address. */
    besides: (holder: Holder) => clients.get(slots.get(holder)?.client ?? "") ?? none,
    /** Takes a slot for a client's address. */
    acquire(holder: Holder, address: string): void {
      const slot = { client: rateLimitKey(address), block: blockKey(address), since: now(), isBusy: false };
      slots.set(holder, slot);
      for (const [groups, key] of groupsOf(slot)) groups.set(key, (groups.get(key) ?? new Set()).add(holder));
    },
    /** Frees the holder's slot, if it has one. */
    release(holder: Holder): void {
      const slot = slots.get(holder);
      if (slot === undefined || !slots.delete(holder)) return;
      for (const [groups, key] of groupsOf(slot)) {
        const holders = groups.get(key);
        holders?.delete(holder);
        if (holders?.size === 0) groups.delete(key);
      }
    },
    /** Records that a holder was active just now, and whether it is still busy. */
    touch(holder: Holder, isBusy: boolean): void {
      const slot = slots.get(holder);
      if (slot !== undefined) [slot.since, slot.isBusy] = [now(), isBusy];
    },
    /** Finds the holder to evict, by default in the network with the most slots. */
    findLeastActive(among: ReadonlySet<Holder> = findLargestBlock()): Holder | null {
      let found: [Holder, Slot] | null = null;
      for (const holder of among) {
        const slot = slots.get(holder);
        if (slot !== undefined && (found === null || goesBefore(slot, found[1]))) found = [holder, slot];
      }
      return found?.[0] ?? null;
    },
  };
}

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
 * @returns the slots of the open connections
 */
export function limitConnections(server: Server, isPeerClient: boolean, note: NoteRefusal): Slots<Socket> {
  const slots = createSlots<Socket>();

  function drop(socket: Socket | null): void {
    if (socket === null) return;
    slots.release(socket);
    socket.destroy();
  }

  function makeRoom(address: string): void {
    const crowds = [slots.ofClient(address), ...(networkKey(address) === null ? [] : [slots.ofBlock(address)])];
    const crowd = crowds.find(({ size }) => size >= maxPerPeer);
    if (crowd === undefined && slots.all.size < limitFor(address)) return;
    note(crowd === undefined ? "connections" : "connections-of-one-peer");
    drop(slots.findLeastActive(crowd));
  }

  server.maxConnections = maxConnections + closingMargin;
  server.on("drop", () => note("connections"));
  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? "";
    if (isPeerClient) makeRoom(address);
    if (slots.all.size >= limitFor(address)) {
      note("connections");
      socket.destroy();
      return;
    }
    slots.acquire(socket, address);
    socket.once("close", () => slots.release(socket));
  });
  return slots;
}

/** Health checks use these addresses of this machine. By default, no program connects from the rest of 127.0.0.0/8. */
const loopback = ["127.0.0.1", "::1", "::ffff:127.0.0.1"];

function limitFor(address: string): number {
  return loopback.includes(address) ? maxConnections : maxConnections - reservedForLoopback;
}

/** Queued requests per connection. Browsers and proxies do not pipeline, although RFC 9112, 9.3.2, allows it. */
const maxWaiting = 16;

/**
 * Processes one request per connection at a time: a pipelined request waits until the previous response is sent. Closes
 * connections with more than {@link maxWaiting} waiting requests; the client may resend them.
 * @param listener must respond in a later turn of the event loop. Otherwise the responses to all waiting requests of
 *   one connection would follow without a pause and block the other connections
 * @param connections also learn which of them are busy
 */
export function limitPipelining(listener: RequestListener, connections: Slots<Socket>): RequestListener {
  const waiting = new WeakMap<Socket, number>();

  const serve: RequestListener = (request, response) => {
    const { socket } = request;
    connections.touch(socket, true);
    response.once("close", () => connections.touch(socket, false));
    listener(request, response);
  };

  return (request, response) => {
    const { socket } = request;
    // Node assigns a response its socket once it may be written. Without pipelining this has happened already.
    if (response.socket !== null) return serve(request, response);
    if (socket.destroyed) return;
    const count = waiting.get(socket) ?? 0;
    if (count >= maxWaiting) {
      socket.destroy();
      resumeOneByOne(connections.besides(socket));
      return;
    }
    waiting.set(socket, count + 1);
    response.once("socket", () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      serve(request, response);
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

/** Bodies in transit. Each may hold 256 kB of memory and a connection of the proxy; a real one arrives in a moment. */
const maxIncomplete = 200;
const maxPerClient = 8;
/** 1 kB/s */
const minBytesPerMs = 1;

/** Reads posted bodies, and limits how many may be incomplete. */
export type BodyReader = ReturnType<typeof createBodyReader>;

/**
 * Creates the reader. It refuses a client's ninth incomplete body. When all slots are taken, it drops the oldest body
 * of the network with the most. Clients are identified as for the rate limits, so this also works behind a proxy.
 * @param graceMs time for a body of any size
 */
export function createBodyReader(trustedProxies: number, graceMs: number, note: NoteRefusal) {
  const slots = createSlots<ServerResponse>();

  function end(response: ServerResponse, status: keyof typeof refusalTexts): void {
    slots.release(response);
    // The response is already out if `Content-Length` was too large.
    if (response.headersSent) return void response.req.socket.destroy();
    response.shouldKeepAlive = false;
    // Plain text, not the busy page: that one is for a rush of visitors, and a hundred times larger.
    sendText(response, status, refusalTexts[status], status === 503 ? { "Retry-After": "5" } : {});
    response.req.resume();
  }

  /** @returns false when the request has been refused */
  function takeSlot(request: IncomingMessage, response: ServerResponse): boolean {
    const address = addressOf(request, trustedProxies);
    if (slots.ofClient(address).size >= maxPerClient) {
      note("bodies-of-one-client");
      end(response, 503);
      return false;
    }
    const oldest = slots.all.size < maxIncomplete ? null : slots.findLeastActive();
    if (oldest !== null) {
      note("bodies");
      end(oldest, 503);
    }
    slots.acquire(response, address);
    return true;
  }

  return {
    /**
     * Reads a body before any other code handles it. Keeps only enough bytes for the form reader to see that it is too
     * large; the rest is read and discarded.
     * @returns null when no work is left: the client disconnected, or the request was refused (503, 408)
     */
    async read(request: IncomingMessage, response: ServerResponse): Promise<Buffer | null> {
      // Usually the body arrived with the headers.
      if (request.complete) return collectBody(request);
      if (!takeSlot(request, response)) return null;
      enforceMinimumRate(request, graceMs, () => {
        if (slots.all.has(response)) note("slow-bodies");
        end(response, 408);
      });
      const release = () => {
        slots.release(response);
        request.socket.off("close", release);
      };
      request.once("end", release);
      // Not the request's own event: Node emits none after an early response to a body that is too large.
      request.socket.once("close", release);
      const body = await collectBody(request);
      return response.headersSent ? null : body;
    },
    /** Closes the connection after the response to a request with an incomplete body, unless the body is being read. */
    endUnread(request: IncomingMessage, response: ServerResponse): void {
      if (request.complete || !hasBody(request)) return;
      response.once("finish", () => request.complete || slots.all.has(response) || request.socket.destroySoon());
    },
  };
}

/** A request without these headers has no body (RFC 9112, 6.3). Node marks it as complete only after its listener ran. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

const refusalTexts = {
  408: "This took too long to arrive, and nothing was saved. Go back and send it again.\n",
  503: "Too much is being sent at once, and nothing was saved. Go back and send it again in a few seconds.\n",
};

/** Computes how long the slowest accepted body of this size takes, in milliseconds. */
export function bodyDurationMs(graceMs: number, bytes = maxFormBytes): number {
  return graceMs + Math.min(bytes, maxFormBytes) / minBytesPerMs;
}

/** Gives up on a slow body. It has `graceMs`, and more time with each byte received. */
function enforceMinimumRate(request: IncomingMessage, graceMs: number, giveUp: () => void): void {
  const begin = performance.now();
  let size = 0;
  request.on("data", (chunk: Buffer) => (size += chunk.length));
  const check = () => {
    const left = begin + bodyDurationMs(graceMs, size) - performance.now();
    if (left <= 0) giveUp();
    else timer = setTimeout(check, left);
  };
  let timer = setTimeout(check, graceMs);
  for (const over of ["end", "close"]) request.once(over, () => clearTimeout(timer));
}

function collectBody(request: IncomingMessage): Promise<Buffer | null> {
  const maxKept = maxFormBytes + 1;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = () => resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks));
    request.on("data", (chunk: Buffer) => {
      if (size < maxKept) chunks.push(chunk.subarray(0, maxKept - size));
      size += chunk.length;
      if (size > maxDrainedBytes) finish();
    });
    // `Content-Length` is already too large: the response need not wait for the body.
    if (Number(request.headers["content-length"]) > maxDrainedBytes) finish();
    request.once("end", finish);
    for (const over of ["close", "error"]) request.once(over, () => resolve(null));
  });
}
