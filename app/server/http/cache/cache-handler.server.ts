import type { IncomingMessage, ServerResponse } from "node:http";
import { ownSegments } from "~/content/site-pages";
import { loggablePath } from "~/lib/http/loggable-path";
import type { RequestRecorder, RequestStart } from "../../observability/track-request.server";
import { type BusyPage, type BusyPageDependencies, createBusyPage } from "./busy-page.server";
import { type PageCacheDependencies, createPageCache } from "./page-cache.server";

/** Answers what needs no framework: pages that are the same for everybody. */
export interface CacheHandler {
  /** @returns whether it has answered; else nothing of the request has been touched */
  handle(request: IncomingMessage, response: ServerResponse, start: RequestStart): boolean;
  /** As `handle`, for a path that no route knows. */
  handleMissing(request: IncomingMessage, response: ServerResponse, start: RequestStart): boolean;
  /** for whoever finds no place in the render queue */
  busyPage: BusyPage;
  prepareHome(): Promise<void>;
  warmUp(): Promise<void>;
}

/** What a cache handler is made of. */
export type CacheDependencies = PageCacheDependencies &
  BusyPageDependencies & {
    requests: RequestRecorder;
    /** false in development: every page is rendered anew */
    keepsPages: boolean;
  };

/** Makes the handler, with nothing in its cache yet. */
export function createCacheHandler({ requests, keepsPages, ...dependencies }: CacheDependencies): CacheHandler {
  const pages = createPageCache(dependencies);
  const busyPage = createBusyPage(dependencies);

  return {
    handle(request, response, start) {
      const answered = keepsPages ? pages.respond(request, response) : null;
      if (answered !== null) requests.recordAtOnce(request, start, answered.route, answered.sent);
      return answered !== null;
    },
    handleMissing(request, response, start) {
      const answered = keepsPages ? pages.respondMissing(request, response) : null;
      if (answered === null) return false;
      requests.recordAtOnce(request, start, answered.route, answered.sent);
      requests.note({ event: "page.not-found", path: loggablePath(`http://site${request.url}`, ownSegments) });
      return true;
    },
    busyPage,
    async prepareHome() {
      if (keepsPages) await pages.prepareHome();
    },
    async warmUp() {
      await busyPage.prepare();
      if (keepsPages) await pages.warmUp();
    },
  };
}
