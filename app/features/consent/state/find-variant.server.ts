import { asksNotToBeTracked, sendsGpc } from "~/lib/consent";
import { isPrefetch } from "~/lib/http/prefetch";
import { createMemo } from "~/lib/memo";
import { relevantQuery } from "~/lib/pages/relevant-query";
import { noticeParameter } from "~/lib/pages/notice-parameter";
import type { FindVariant, PageRequest } from "~/server/http/page-memory.server";
import type { SiteContext } from "~/server/site-context.server";
import { listForbidden, removeCookies } from "../analytics/clear-cookies.server";
import { buildDecisionCookie } from "../record/decide.server";
import { refuseBySignal } from "../record/signal.server";
import { opensPreferences } from "../ui/preferences-address";
import { type ConsentState, readConsentState } from "./consent-state.server";
import { consentView } from "./consent-view.server";

/** Visitors request several pages with the same cookies. */
const maxRemembered = 500;
/** Consent ends after half a year, and a signal's decision names the day. */
const rememberedMs = 60_000;

/**
 * Creates the function that finds the page variant for a request: the consent view, and the cookies to set. The
 * function returns null if the page depends on more than that, or if something must be stored first.
 */
export function createFindVariant(site: SiteContext): FindVariant {
  const { cookies } = site;
  const remember = createMemo<ReturnType<typeof readVisitor>>(maxRemembered, rememberedMs);

  function mustRender(request: PageRequest, { decision, signalDecides }: ConsentState): boolean {
    // A record must be written or changed first.
    if (decision?.isUnsaved) return true;
    return signalDecides && (!!decision?.recordId || cookies.find(request, "consentSession") !== null);
  }

  /** Reads everything that depends on cookies and signals only. */
  function readVisitor(request: PageRequest) {
    const state = readConsentState(site, request);
    if (mustRender(request, state)) return null;
    const variant = consentView(site, state, false);
    const forbidden = listForbidden(request, state.allowed);
    const refusals = state.signalDecides ? [buildDecisionCookie(cookies, refuseBySignal(site))] : [];
    return { key: JSON.stringify(variant), variant, forbidden, refusals };
  }

  return (request) => {
    const { query, method, headers } = request;
    if (opensPreferences(query) || showsNotice(request)) return null;
    const cookie = headers.get("cookie") ?? "";
    const signals = asksNotToBeTracked(headers) ? `\n${sendsGpc(headers)} ` : "";
    const visitor = remember(signals + cookie, () => readVisitor(request));
    if (visitor === null) return null;
    const { key, variant, forbidden, refusals } = visitor;
    // A prefetched page may never be seen.
    if (isPrefetch(headers.get("sec-purpose"))) return { key, variant, setCookies: [] };
    const cleared = removeCookies(site, request, forbidden);
    return { key, variant, setCookies: method === "HEAD" ? cleared : [...cleared, ...refusals] };
  };
}

/** Detects a notice. Notices that are the same for every visitor are part of the page's address ({@link relevantQuery}). */
function showsNotice({ path, query }: PageRequest): boolean {
  const parameter = `${noticeParameter}=`;
  return query.includes(parameter) && !relevantQuery(path, query).includes(parameter);
}
