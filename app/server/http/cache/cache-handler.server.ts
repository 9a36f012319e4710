import type { IncomingMessage, ServerResponse } from "node:http";
import { type ServerBuild, createRequestHandler } from "@remix-run/node";
import { type BusyPage, createBusyPage } from "./busy-page.server";
import { type FindPageVariant, createPageCache } from "./page-cache.server";
import { type Arrival, recordRequest } from "../../observability/track-request.server";

/** What needs no framework: pages that are the same for everybody. */
export interface Memory {
  /** @returns whether it has answered; else nothing of the request has been touched */
  answer(request: IncomingMessage, response: ServerResponse, arrival: Arrival): boolean;
  /** for whoever finds no place in the render queue */
  busyPage: BusyPage;
  warmUp(): Promise<void>;
}

/** @param findVariant tells which of a page's variants a visitor gets; null for a page that is rendered for them alone */
export function createMemory(build: ServerBuild, findVariant: FindPageVariant): Memory {
  const render = createRequestHandler(build, "production");
  const pages = createPageCache(render, findVariant);
  const busyPage = createBusyPage(render);

  return {
    answer(request, response, { requestId, at }) {
      const sent = pages.answer(request, response);
      if (sent === null) return false;
      const { url: route = "", method = "" } = request;
      const { status, bytes } = sent;
      // Only paths that are their own pattern are kept, so that the path may be logged as the route.
      recordRequest({ requestId, route, method, status, bytes, durationMs: performance.now() - at });
      return true;
    },
    busyPage,
    async warmUp() {
      await busyPage.prepare();
      await pages.warmUp();
    },
  };
}
