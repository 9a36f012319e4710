import type { IncomingMessage, ServerResponse } from "node:http";
import { type Log, describeError } from "../../observability/log.server";
import type { ProductMetrics } from "../../observability/product-metrics.server";
import { sendText } from "../send-text.server";
import { type KeptResponse, type Compression, createKeptResponse } from "./kept-response.server";
import { createEncodingChoice } from "./content-encoding.server";
import type { RenderPage } from "./page-memory.server";

/** The page of whoever finds no place in the render queue. */
export interface BusyPage {
  /** Renders it, so that it is there when nothing can be rendered. */
  prepare(): Promise<void>;
  /** Answers 503 with what to do (RFC 9110, 15.6.4). */
  respond(request: IncomingMessage, response: ServerResponse): void;
}

/** Dependencies of the page. */
export interface BusyPageDependencies {
  render: RenderPage;
  /** of every answer, by name */
  defaultHeaders: Record<string, string>;
  compression: Compression;
  metrics: ProductMetrics;
  log: Log;
}

const retryAfter = { "Retry-After": "5" };
const shortText = "Too many people are here at once. Nothing was saved. Try again in a few seconds.\n";

/** Makes the page of a site; until it is prepared, a sentence stands in for it. */
export function createBusyPage({ render, defaultHeaders, compression, metrics, log }: BusyPageDependencies): BusyPage {
  const chooseEncoding = createEncodingChoice(["br", "gzip", "identity"]);
  const options = { defaultHeaders: { ...defaultHeaders, ...retryAfter }, isForEverybody: true, compression };
  let prepared: KeptResponse | null = null;
  return {
    async prepare() {
      try {
        // The root's loader answers 503 when the context says so (app/root.tsx).
        prepared = await createKeptResponse(await render("/", new Headers(), { isBusy: true }), options);
      } catch (error) {
        log.error({ event: "busy-page.failed", ...describeError(error) });
      }
    },
    respond(request, response) {
      metrics.countRefusedRender();
      const isForScript = request.url?.split("?", 1)[0]?.endsWith(".data") ?? false;
      if (prepared === null || isForScript) sendText(response, 503, shortText, retryAfter);
      else prepared.respond(request, response, chooseEncoding(request.headers["accept-encoding"]), []);
    },
  };
}
