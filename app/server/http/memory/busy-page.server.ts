import type { IncomingMessage, ServerResponse } from "node:http";
import { type Log, describeError } from "../../observability/log.server";
import type { ProductMetrics } from "../../observability/product-metrics.server";
import { sendText } from "../send-text.server";
import { type CachedResponse, type Compression, createCachedResponse } from "./cached-response.server";
import { createEncodingChoice } from "./content-encoding.server";
import type { RenderPage } from "./page-memory.server";

/** The page for visitors who find the render queue full. */
export interface BusyPage {
  /** Renders the page in advance, for times when the site cannot render. */
  prepare(): Promise<void>;
  /** Responds with 503 and tells the visitor what to do (RFC 9110, 15.6.4). */
  respond(request: IncomingMessage, response: ServerResponse): void;
}

/** Dependencies of the page. */
export interface BusyPageDependencies {
  render: RenderPage;
  /** Headers of every response, by name. */
  defaultHeaders: Record<string, string>;
  compression: Compression;
  metrics: ProductMetrics;
  log: Log;
}

const retryAfter = { "Retry-After": "5" };
const shortText = "Too many people are here at once. Nothing was saved. Try again in a few seconds.\n";

/** Creates the page of a site. Until it is prepared, one sentence of plain text replaces it. */
export function createBusyPage({ render, defaultHeaders, compression, metrics, log }: BusyPageDependencies): BusyPage {
  const chooseEncoding = createEncodingChoice(["br", "gzip", "identity"]);
  const options = { defaultHeaders: { ...defaultHeaders, ...retryAfter }, isForEverybody: true, compression };
  let prepared: CachedResponse | null = null;
  return {
    async prepare() {
      try {
        // The root loader responds with 503 when the context has `isBusy` (app/root.tsx).
        prepared = await createCachedResponse(await render("/", new Headers(), { isBusy: true }), options);
      } catch (error) {
        log.error({ event: "busy-page.failed", ...describeError(error) });
      }
    },
    respond(request, response) {
      metrics.countRefusal("renders");
      const isForScript = request.url?.split("?", 1)[0]?.endsWith(".data") ?? false;
      if (prepared === null || isForScript) sendText(response, 503, shortText, retryAfter);
      else prepared.respond(request, response, chooseEncoding(request.headers["accept-encoding"]), []);
    },
  };
}
