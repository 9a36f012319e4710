import { isPrefetch } from "~/lib/http/prefetch";
import { keptQuery } from "~/lib/pages/kept-query";
import { noticeParameter } from "~/lib/pages/notice-parameter";
import type { FindVariant, PageRequest } from "~/server/http/memory/page-memory.server";
import type { SiteContext } from "~/server/site-context.server";
import { clearForbiddenCookies } from "../analytics/clear-cookies.server";
import { keepDecision } from "../record/decide.server";
import { refuseBySignal } from "../record/signal.server";
import { opensPreferences } from "../ui/preferences-address";
import { type ConsentState, readConsentState } from "./consent-state.server";
import { consentView } from "./consent-view.server";

/**
 * Creates the choice of a page's variant for a request: what the page shows about consent, and the cookies to set.
 * @returns null where the page depends on more than that, or where something must be stored first
 */
export function createFindVariant(site: SiteContext): FindVariant {
  const { cookies } = site;

  function mustRender(request: PageRequest, { decision, signalDecides }: ConsentState): boolean {
    // The record of a decision is to be written or changed.
    if (decision?.isUnsaved) return true;
    return signalDecides && (!!decision?.recordId || cookies.find(request, "consentSession") !== null);
  }

  function listCookies(request: PageRequest, { allowed, signalDecides }: ConsentState): readonly string[] {
    // Nobody may ever look at this page.
    if (isPrefetch(request.headers.get("sec-purpose"))) return [];
    const cleared = clearForbiddenCookies(site, request, allowed);
    const keepsRefusal = signalDecides && request.method !== "HEAD";
    return keepsRefusal ? [...cleared, keepDecision(cookies, refuseBySignal(site))] : cleared;
  }

  return (request) => {
    if (opensPreferences(request.query) || bringsMessage(request)) return null;
    const state = readConsentState(site, request);
    if (mustRender(request, state)) return null;
    return { variant: consentView(site, state, false), setCookies: listCookies(request, state) };
  };
}

/** Those that stand on a page for every visitor alike are part of its address ({@link keptQuery}). */
function bringsMessage({ path, query }: PageRequest): boolean {
  const beginning = `${noticeParameter}=`;
  return query.includes(beginning) && !keptQuery(path, query).includes(beginning);
}
