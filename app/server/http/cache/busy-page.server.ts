import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type Log, describeError } from "../../observability/log.server";
import type { ProductMetrics } from "../../observability/product-metrics.server";
import { sendText } from "../send-text.server";
import { createEncodingChoice } from "./content-encoding.server";
import type { RenderPage } from "./page-cache.server";

/** The page of whoever finds no place in the render queue. */
export interface BusyPage {
  /** Renders it, so that it is there when nothing can be rendered. */
  prepare(): Promise<void>;
  /** Answers 503 with what to do (RFC 9110, 15.6.4). */
  respond(request: IncomingMessage, response: ServerResponse): void;
}

/** What the page is made of. */
export interface BusyPageDependencies {
  render: RenderPage;
  metrics: ProductMetrics;
  log: Log;
}

const retryAfter = { "Retry-After": "5" };
const shortText = "Too many people are here at once. Nothing was saved. Try again in a few seconds.\n";

/** Makes the page of a site; until it is prepared, a sentence stands in for it. */
export function createBusyPage({ render, metrics, log }: BusyPageDependencies): BusyPage {
  const chooseGzip = createEncodingChoice(["gzip", "identity"]);
  let prepared: { headers: Record<string, string>; encoded: Record<"identity" | "gzip", Buffer> } | null = null;
  return {
    async prepare() {
      try {
        // The root's loader answers 503 when the context says so (app/root.tsx).
        const page = await render("/", new Headers(), { isBusy: true });
        const identity = Buffer.from(await page.arrayBuffer());
        const headers = { ...Object.fromEntries(page.headers), ...retryAfter, Vary: "Accept-Encoding" };
        prepared = { headers, encoded: { identity, gzip: await promisify(gzip)(identity) } };
      } catch (error) {
        log.error({ event: "busy-page.failed", ...describeError(error) });
      }
    },
    respond(request, response) {
      metrics.countRefusedRender();
      const isForScript = request.url?.split("?", 1)[0]?.endsWith(".data") ?? false;
      if (prepared === null || isForScript) {
        sendText(response, 503, shortText, retryAfter);
        return;
      }
      const encoding = chooseGzip(request.headers["accept-encoding"]);
      const body = prepared.encoded[encoding];
      response.writeHead(503, {
        ...prepared.headers,
        ...(encoding === "gzip" ? { "Content-Encoding": encoding } : {}),
        "Content-Length": body.byteLength,
      });
      response.end(request.method === "HEAD" ? undefined : body);
    },
  };
}
