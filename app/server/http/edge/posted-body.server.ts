import type { IncomingMessage, ServerResponse } from "node:http";
import type { Settings } from "../../config/settings.server";
import type { Timeouts } from "../../config/timeouts.server";
import { largestDrained, largestForm } from "../../forms/read-form.server";
import { sendText } from "../send-text.server";
import { createPlaces } from "./places.server";
import type { NoteRefusal } from "./refusal-report.server";
import { addressOf } from "~/lib/http/client-address";

/** Bodies on their way: each may hold 256 kB of memory, and a connection of the proxy's. An honest one is there in a moment. */
const maxUnfinished = 200;
const maxOfClient = 8;
/** 1 kB/s */
const slowestBytesPerMs = 1;

/** Reads what is posted, and bounds the bodies that have not come in full. */
export interface BodyReader {
  /**
   * Reads a body before anything is done with it. No more is kept than shows the form's reader that it is too large; the
   * rest is read and thrown away.
   * @returns null when there is nothing left to do: the visitor went away, or the request has been refused (503, 408)
   */
  read(request: IncomingMessage, response: ServerResponse): Promise<Buffer | null>;
  /** Ends the connection once a request is answered whose body has not come in full, unless that is being read. */
  endUnread(request: IncomingMessage, response: ServerResponse): void;
}

/** Dependencies of the body reader. */
export interface BodyReaderDependencies {
  settings: Pick<Settings, "trustedProxies">;
  timeouts: Pick<Timeouts, "body">;
  note: NoteRefusal;
}

/**
 * Creates the reader. It refuses a client's ninth unfinished body. When all places are taken, the network that holds most
 * of them gives up its oldest. The client is the one of the rate limits, so this holds behind a proxy, too.
 */
export function createBodyReader({ settings, timeouts, note }: BodyReaderDependencies): BodyReader {
  const places = createPlaces<IncomingMessage>();
  const responses = new WeakMap<IncomingMessage, ServerResponse>();

  function end(request: IncomingMessage, response: ServerResponse, status: keyof typeof refusalTexts): void {
    places.free(request);
    // Its length alone may have been too much, and was answered.
    if (response.headersSent) return void request.socket.destroy();
    response.shouldKeepAlive = false;
    // Not the page of a busy site: it is for a rush of visitors, and weighs a hundred times as much.
    sendText(response, status, refusalTexts[status], status === 503 ? { "Retry-After": "5" } : {});
    request.resume();
  }

  /** @returns false when the request has been refused */
  function takePlace(request: IncomingMessage, response: ServerResponse): boolean {
    const address = addressOf(request, settings.trustedProxies);
    if (places.countOfClient(address) >= maxOfClient) {
      note("bodies-of-one-client");
      end(request, response, 503);
      return false;
    }
    if (places.size >= maxUnfinished) {
      note("bodies");
      const oldest = places.findLeastActive();
      const itsResponse = oldest === null ? undefined : responses.get(oldest);
      if (oldest !== null && itsResponse !== undefined) end(oldest, itsResponse, 503);
    }
    places.take(request, address);
    responses.set(request, response);
    return true;
  }

  return {
    async read(request, response) {
      // Usually it came with the header fields.
      if (request.complete) return collect(request);
      if (!takePlace(request, response)) return null;
      watchPace(request, timeouts.body, () => {
        if (places.has(request)) note("slow-bodies");
        end(request, response, 408);
      });
      request.once("end", () => places.free(request));
      request.once("close", () => places.free(request));
      const body = await collect(request);
      return response.headersSent ? null : body;
    },
    endUnread(request, response) {
      if (request.complete) return;
      response.once("finish", () => request.complete || places.has(request) || request.socket.destroySoon());
    },
  };
}

const refusalTexts = {
  408: "This took too long to arrive, and nothing was saved. Go back and send it again.\n",
  503: "Too much is being sent at once, and nothing was saved. Go back and send it again in a few seconds.\n",
};

/** How long the slowest body takes that is read to its end. */
export function longestBodyMs(timeouts: Pick<Timeouts, "body">): number {
  return timeouts.body + largestForm / slowestBytesPerMs;
}

/** Gives a body some time, and more with each byte that comes. */
function watchPace(request: IncomingMessage, graceMs: number, giveUp: () => void): void {
  const begin = performance.now();
  let size = 0;
  request.on("data", (chunk: Buffer) => (size += chunk.length));
  const leftMs = () => begin + graceMs + Math.min(size, largestForm) / slowestBytesPerMs - performance.now();
  const look = () => {
    const left = leftMs();
    if (left <= 0) giveUp();
    else timer = setTimeout(look, left);
  };
  let timer = setTimeout(look, graceMs);
  for (const over of ["end", "close"]) request.once(over, () => clearTimeout(timer));
}

function collect(request: IncomingMessage): Promise<Buffer | null> {
  const maxKept = largestForm + 1;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = () => resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks));
    request.on("data", (chunk: Buffer) => {
      if (size < maxKept) chunks.push(chunk.subarray(0, maxKept - size));
      size += chunk.length;
      if (size > largestDrained) finish();
    });
    // Its length alone says that it is too large: the answer need not wait for it.
    if (Number(request.headers["content-length"]) > largestDrained) finish();
    request.once("end", finish);
    request.once("close", () => resolve(null));
    request.once("error", () => resolve(null));
  });
}
