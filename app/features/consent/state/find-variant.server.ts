import { isPrefetch } from "~/lib/http/prefetch";
import { relevantQuery } from "~/lib/pages/relevant-query";
import { noticeParameter } from "~/lib/pages/notice-parameter";
import type { FindVariant, PageRequest } from "~/server/http/page-memory.server";
import type { SiteContext } from "~/server/site-context.server";
import { clearForbiddenCookies } from "../analytics/clear-cookies.server";
import { buildDecisionCookie } from "../record/decide.server";
import { refuseBySignal } from "../record/signal.server";
import { opensPreferences } from "../ui/preferences-address";
import { type ConsentState, readConsentState } from "./consent-state.server";
import { consentView } from "./consent-view.server";

/**
 * Creates the function that finds the page variant for a request: the consent view, and the cookies to set. The
 * function returns null if the page depends on more than that, or if something must be stored first.
 */
export function createFindVariant(site: SiteContext): FindVariant {
  const { cookies } = site;

  function mustRender(request: PageRequest, { decision, signalDecides }: ConsentState): boolean {
    // A record must be written or changed first.
    if (decision?.isUnsaved) return true;
    return signalDecides && (!!decision?.recordId || cookies.find(request, "consentSession") !== null);
  }

  function listCookies(request: PageRequest, { allowed, signalDecides }: ConsentState): readonly string[] {
    // This page may never be seen.
    if (isPrefetch(request.headers.get("sec-purpose"))) return [];
    const cleared = clearForbiddenCookies(site, request, allowed);
    const keepsRefusal = signalDecides && request.method !== "HEAD";
    return keepsRefusal ? [...cleared, buildDecisionCookie(cookies, refuseBySignal(site))] : cleared;
  }

  return (request) => {
    if (opensPreferences(request.query) || showsNotice(request)) return null;
    const state = readConsentState(site, request);
    if (mustRender(request, state)) return null;
    return { variant: consentView(site, state, false), setCookies: listCookies(request, state) };
  };
}

/** Detects a notice. Notices that are the same for every visitor are part of the page's address ({@link relevantQuery}). */
function showsNotice({ path, query }: PageRequest): boolean {
  const parameter = `${noticeParameter}=`;
  return query.includes(parameter) && !relevantQuery(path, query).includes(parameter);
}
