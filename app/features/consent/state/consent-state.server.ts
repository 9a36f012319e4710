import { analyticsCookiesLive, consentHoldsFor, consentVersion } from "~/content/cookie-registry";
import { type Choice, type ConsentDecision, asksNotToBeTracked, parseDecision, sendsGpc } from "~/lib/consent";
import type { HasHeaders } from "~/lib/http/header-reader";
import type { SiteContext } from "~/server/site-context.server";
import { hashShownText } from "../record/consent-text.server";

/** What consent depends on of a site. */
export type ConsentSite = Pick<SiteContext, "settings" | "cookies">;

/** Consent state derived from the request. */
export interface ConsentState {
  /** the stored decision, whether it holds or not */
  decision: ConsentDecision | null;
  /** the decision holds */
  isCurrent: boolean;
  /** the browser asks not to be tracked */
  sendsSignal: boolean;
  /** it does, and nothing that holds says otherwise: this is to be stored as a refusal */
  signalDecides: boolean;
  /** the question is to be asked: nothing decides, and it was not closed, and there is one on this site */
  asks: boolean;
  /** why somebody who chose before is asked again: the text has changed, or their consent is too old */
  askedAgain: "text" | "time" | null;
  /** what is allowed right now; nothing unless a decision that holds says so */
  allowed: Choice;
  /** pages may carry Google's tag: analytics is allowed, for at least as long as the tag's cookies live from now on */
  measures: boolean;
}

/**
 * Reads the state from the request alone, so that a page from memory needs no call of the backend.
 * @param request its cookies and signals are read
 */
export function readConsentState({ settings, cookies }: ConsentSite, request: HasHeaders): ConsentState {
  const decision = parseDecision(cookies.find(request, "consentPreference") ?? "");
  const sendsSignal = asksNotToBeTracked(request.headers);
  const ended = decision === null ? null : findEnd(decision, isAnalyticsInUse(settings), sendsGpc(request.headers));
  const isCurrent = decision !== null && ended === null;
  const signalDecides = !isCurrent && sendsSignal;
  const asks =
    settings.asksAboutCookies && !isCurrent && !signalDecides && cookies.find(request, "consentBanner") === null;
  const allowed = { analytics: isCurrent && decision.analytics, marketing: isCurrent && decision.marketing };
  return {
    decision,
    isCurrent,
    sendsSignal,
    signalDecides,
    asks,
    askedAgain: asks && (ended === "text" || ended === "time") ? ended : null,
    allowed,
    measures: allowed.analytics && decision !== null && ageOf(decision) + analyticsCookiesLive <= consentHoldsFor,
  };
}

/** Whether Google Analytics is asked for at all. */
export function isAnalyticsInUse({ gaMeasurementId }: ConsentSite["settings"]): boolean {
  return gaMeasurementId !== undefined;
}

/**
 * Why a decision holds no longer; null while it does. What was refused stays refused until the version changes (REQUIREMENTS
 * 4.8); what was allowed was allowed on that very text, for half a year, and only until the browser sends Global Privacy
 * Control (11 CCR 7025(c)(3)), unless it did so already when its owner chose.
 */
function findEnd(
  decision: ConsentDecision,
  analyticsInUse: boolean,
  hasGpc: boolean,
): "text" | "time" | "signal" | null {
  const { version, source, textHash, underGpc } = decision;
  if (version !== consentVersion) return "text";
  if (!allows(decision)) return null;
  if (textHash !== hashShownText(source, analyticsInUse)) return "text";
  if (ageOf(decision) >= consentHoldsFor) return "time";
  return hasGpc && !underGpc ? "signal" : null;
}

function allows({ analytics, marketing }: Choice): boolean {
  return analytics || marketing;
}

/** Seconds; at least 0, whatever somebody has written into their cookie. */
function ageOf({ decidedAt }: ConsentDecision): number {
  return Math.max(0, (Date.now() - Date.parse(decidedAt)) / 1000);
}
