import type { IncomingMessage, ServerResponse } from "node:http";
import { ownSegments } from "~/content/site-pages";
import { loggablePath } from "~/lib/http/loggable-path";
import type { RequestRecorder, RequestStart } from "../../observability/track-request.server";
import type { RequestFailures } from "../edge/request-failures.server";
import type { SentPage } from "./cached-response.server";
import { type BusyPage, type BusyPageDependencies, createBusyPage } from "./busy-page.server";
import { type PageCacheDependencies, type SentFromMemory, createPageCache } from "./page-cache.server";

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
    failures: Pick<RequestFailures, "end">;
    /** false in development: every page is rendered anew */
    keepsPages: boolean;
  };

/** Makes the handler, with nothing in its cache yet. */
export function createCacheHandler({
  requests,
  failures,
  keepsPages,
  ...dependencies
}: CacheDependencies): CacheHandler {
  const pages = createPageCache(dependencies);
  const busyPage = createBusyPage(dependencies);

  /** @returns whether it has answered */
  function record(
    answered: SentFromMemory | null,
    request: IncomingMessage,
    response: ServerResponse,
    start: RequestStart,
  ): boolean {
    if (answered === null) return false;
    const { sent, route } = answered;
    const note = (page: SentPage) => requests.recordAtOnce(request, start, route, page);
    if (sent instanceof Promise)
      sent.then(note).catch((error: unknown) => failures.end(error, response, start.requestId));
    else note(sent);
    return true;
  }

  return {
    handle: (request, response, start) =>
      keepsPages && record(pages.respond(request, response), request, response, start),
    handleMissing(request, response, start) {
      if (!keepsPages || !record(pages.respondMissing(request, response), request, response, start)) return false;
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
