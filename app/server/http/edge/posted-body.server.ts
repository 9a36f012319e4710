import type { IncomingMessage, ServerResponse } from "node:http";
import type { Settings } from "../../config/settings.server";
import type { Timeouts } from "../../config/timeouts.server";
import { maxDrainedBytes, maxFormBytes } from "../../forms/read-form.server";
import { sendText } from "../send-text.server";
import { createSlots } from "./slots.server";
import type { NoteRefusal } from "./refusal-report.server";
import { addressOf } from "~/lib/http/client-address";

/** Bodies in transit. Each may hold 256 kB of memory and a connection of the proxy; a real one arrives in a moment. */
const maxIncomplete = 200;
const maxPerClient = 8;
/** 1 kB/s */
const minBytesPerMs = 1;

/** Reads posted bodies, and limits how many may be incomplete. */
export interface BodyReader {
  /**
   * Reads a body before any other code handles it. Keeps only enough bytes for the form reader to see that it is too
   * large; the rest is read and discarded.
   * @returns null when no work is left: the client disconnected, or the request was refused (503, 408)
   */
  read(request: IncomingMessage, response: ServerResponse): Promise<Buffer | null>;
  /** Closes the connection after the response to a request with an incomplete body, unless the body is being read. */
  endUnread(request: IncomingMessage, response: ServerResponse): void;
}

/** Dependencies of the body reader. */
export interface BodyReaderDependencies {
  settings: Pick<Settings, "trustedProxies">;
  timeouts: Pick<Timeouts, "body">;
  note: NoteRefusal;
}

/**
 * Creates the reader. It refuses a client's ninth incomplete body. When all slots are taken, it drops the oldest body
 * of the network with the most. Clients are identified as for the rate limits, so this also works behind a proxy.
 */
export function createBodyReader({ settings, timeouts, note }: BodyReaderDependencies): BodyReader {
  const slots = createSlots<IncomingMessage>();
  const responses = new WeakMap<IncomingMessage, ServerResponse>();

  function end(request: IncomingMessage, response: ServerResponse, status: keyof typeof refusalTexts): void {
    slots.release(request);
    // The response is already out if `Content-Length` was too large.
    if (response.headersSent) return void request.socket.destroy();
    response.shouldKeepAlive = false;
    // Plain text, not the busy page: that one is for a rush of visitors, and a hundred times larger.
    sendText(response, status, refusalTexts[status], status === 503 ? { "Retry-After": "5" } : {});
    request.resume();
  }

  /** @returns false when the request has been refused */
  function takeSlot(request: IncomingMessage, response: ServerResponse): boolean {
    const address = addressOf(request, settings.trustedProxies);
    if (slots.countOfClient(address) >= maxPerClient) {
      note("bodies-of-one-client");
      end(request, response, 503);
      return false;
    }
    if (slots.size >= maxIncomplete) {
      note("bodies");
      const oldest = slots.findLeastActive();
      const oldestResponse = oldest === null ? undefined : responses.get(oldest);
      if (oldest !== null && oldestResponse !== undefined) end(oldest, oldestResponse, 503);
    }
    slots.acquire(request, address);
    responses.set(request, response);
    return true;
  }

  return {
    async read(request, response) {
      // Usually the body arrived with the headers.
      if (request.complete) return collectBody(request);
      if (!takeSlot(request, response)) return null;
      enforceMinimumRate(request, timeouts.body, () => {
        if (slots.has(request)) note("slow-bodies");
        end(request, response, 408);
      });
      const release = () => {
        slots.release(request);
        request.socket.off("close", release);
      };
      request.once("end", release);
      request.once("close", release);
      // Node emits none of these after a response was complete: a body that is too large gets its response early.
      request.socket.once("close", release);
      const body = await collectBody(request);
      return response.headersSent ? null : body;
    },
    endUnread(request, response) {
      if (request.complete || !hasBody(request)) return;
      response.once("finish", () => request.complete || slots.has(request) || request.socket.destroySoon());
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

/** Computes how long the slowest accepted body takes, in milliseconds. */
export function maxBodyDurationMs(timeouts: Pick<Timeouts, "body">): number {
  return timeouts.body + maxFormBytes / minBytesPerMs;
}

/** Gives up on a slow body. It has `graceMs`, and more time with each byte received. */
function enforceMinimumRate(request: IncomingMessage, graceMs: number, giveUp: () => void): void {
  const begin = performance.now();
  let size = 0;
  request.on("data", (chunk: Buffer) => (size += chunk.length));
  const leftMs = () => begin + graceMs + Math.min(size, maxFormBytes) / minBytesPerMs - performance.now();
  const check = () => {
    const left = leftMs();
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
    request.once("close", () => resolve(null));
    request.once("error", () => resolve(null));
  });
}
