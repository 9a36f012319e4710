import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { RequestHandler } from "@remix-run/node";
import { describeError, logProblem } from "../../observability/log.server";
import { createCounter } from "../../observability/prometheus-format.server";
import { getSettings } from "../../config/settings.server";
import { chooseGzip } from "./content-encoding.server";
import { answerPlainly } from "../send-text.server";

/** The page of whoever finds no place in the render queue. */
export interface BusyPage {
  /** Renders it, so that it is there when nothing can be rendered. */
  prepare(): Promise<void>;
  /** Answers 503 with what to do (RFC 9110, 15.6.4). */
  answer(request: IncomingMessage, response: ServerResponse): void;
}

const retryAfter = { "Retry-After": "5" };
const shortText = "Too many people are here at once. Nothing was saved. Try again in a few seconds.\n";

/** How often somebody was sent away because too much was being rendered. */
export const refusedRenders = createCounter<Record<string, never>>(
  "site_renders_refused_total",
  "Requests answered with 503 because too many pages were being rendered.",
  [{}],
);

/** @param render the framework; it answers 503 when the context says `isBusy` (app/root.tsx) */
export function createBusyPage(render: RequestHandler): BusyPage {
  let prepared: { headers: Record<string, string>; encoded: Record<"identity" | "gzip", Buffer> } | null = null;
  return {
    async prepare() {
      try {
        const page = await render(new Request(`${getSettings().siteUrl}/`), { isBusy: true });
        const identity = Buffer.from(await page.arrayBuffer());
        const headers = { ...Object.fromEntries(page.headers), ...retryAfter, Vary: "Accept-Encoding" };
        prepared = { headers, encoded: { identity, gzip: await promisify(gzip)(identity) } };
      } catch (error) {
        logProblem({ event: "busy-page.failed", ...describeError(error) });
      }
    },
    answer(request, response) {
      refusedRenders.add({});
      const isForScript = request.url?.split("?", 1)[0]?.endsWith(".data") ?? false;
      if (prepared === null || isForScript) {
        answerPlainly(response, 503, shortText, retryAfter);
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
