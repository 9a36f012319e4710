import type { IncomingMessage, ServerResponse } from "node:http";
import { type ServerBuild, createRequestHandler } from "@remix-run/node";
import { isDraining } from "../health.server";
import { describeError, logProblem } from "../log.server";
import { type BusyPage, createBusyPage } from "./busy-page.server";
import { type FindPageVariant, createPageCache } from "./page-cache.server";
import { readBody, repeatRequest } from "./posted-body.server";
import type { RefusableForm } from "./refused-forms/posted-form.server";
import { createRefusedForms } from "./refused-forms/refused-forms.server";
import type { SentPage } from "./stored-page.server";
import { type Arrival, gaveUp, recordRequest } from "./watch-request.server";

/** What the application knows of its pages, and the edge does not. */
export interface MemoryForms {
  findVariant: FindPageVariant;
  refusable: readonly RefusableForm[];
}

/** What needs no framework: pages that are the same for everybody, and forms that have to be filled in again. */
export interface Memory {
  /** @returns whether it has answered or will; else nothing of the request has been touched */
  answer(request: IncomingMessage, response: ServerResponse, arrival: Arrival): boolean;
  /** for whoever finds no place in the render queue */
  busyPage: BusyPage;
  warmUp(): Promise<void>;
}

/** @param goOn takes what turns out, once it has been read, not to be answered from memory */
export function createMemory(
  build: ServerBuild,
  { findVariant, refusable }: MemoryForms,
  goOn: (request: IncomingMessage, response: ServerResponse, arrival: Arrival) => void,
): Memory {
  const render = createRequestHandler(build, "production");
  const pages = createPageCache(render, findVariant);
  const forms = createRefusedForms(render, findVariant, refusable);
  const busyPage = createBusyPage(render);

  async function answerForm(request: IncomingMessage, response: ServerResponse, arrival: Arrival): Promise<void> {
    const body = await readBody(request);
    if (body === null) {
      record(request, arrival, { status: gaveUp, bytes: 0 });
      return;
    }
    if (isDraining()) response.shouldKeepAlive = false;
    const sent = await forms.answer(request, body, response, arrival.requestId).catch((error: unknown) => {
      logProblem({ event: "refused-form.failed", requestId: arrival.requestId, ...describeError(error) });
      return null;
    });
    if (sent === null && response.headersSent) response.destroy();
    else if (sent === null) goOn(repeatRequest(request, body), response, arrival);
    else record(request, arrival, sent);
  }

  return {
    answer(request, response, arrival) {
      const sent = pages.answer(request, response);
      if (sent !== null) {
        record(request, arrival, sent);
        return true;
      }
      if (!forms.mayTake(request)) return false;
      void answerForm(request, response, arrival);
      return true;
    },
    busyPage,
    async warmUp() {
      await busyPage.prepare();
      await pages.warmUp();
    },
  };
}

/** Only for paths that are their own pattern. */
function record(
  { url: route = "", method = "" }: IncomingMessage,
  { requestId, at }: Arrival,
  { status, bytes }: SentPage,
): void {
  recordRequest({ requestId, route, method, status, bytes, durationMs: performance.now() - at });
}
