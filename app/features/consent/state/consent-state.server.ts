import { analyticsCookiesLive, consentHoldsFor, consentVersion } from "~/content/cookie-registry";
import { type Choice, type ConsentDecision, asksNotToBeTracked, parseDecision, sendsGpc } from "~/lib/consent";
import type { HasHeaders } from "~/lib/http/header-reader";
import type { SiteContext } from "~/server/site-context.server";
import { hashShownText } from "../record/consent-text.server";

/** The parts of a site that the consent state depends on. */
export type ConsentSite = Pick<SiteContext, "settings" | "cookies">;

/** Consent state derived from a request. */
export type ConsentState = ReturnType<typeof readConsentState>;

/**
 * Reads the state from the request alone, so that a page from memory needs no call to the backend.
 * @param request only its headers are read
 */
export function readConsentState({ settings, cookies }: ConsentSite, request: HasHeaders) {
  const decision = parseDecision(cookies.find(request, "consentPreference") ?? "");
  const sendsSignal = asksNotToBeTracked(request.headers);
  const ended = decision === null ? null : findEnd(decision, isAnalyticsInUse(settings), sendsGpc(request.headers));
  const isCurrent = decision !== null && ended === null;
  const signalDecides = !isCurrent && sendsSignal;
  const asks =
    settings.asksAboutCookies && !isCurrent && !signalDecides && cookies.find(request, "consentBanner") === null;
  const allowed = { analytics: isCurrent && decision.analytics, marketing: isCurrent && decision.marketing };
  const allowsLongEnough = decision !== null && ageOf(decision) + analyticsCookiesLive <= consentHoldsFor;
  return {
    /** the stored decision, in force or not */
    decision,
    /** the decision is in force */
    isCurrent,
    /** the browser sends Do Not Track or Global Privacy Control */
    sendsSignal,
    /** the browser sends a signal and no decision in force overrides it; to be stored as a refusal */
    signalDecides,
    /** show the banner: no decision, no signal, not closed, and the site has a banner */
    asks,
    /** why an earlier decision no longer counts: the text has changed, or the consent is too old */
    askedAgain: asks && (ended === "text" || ended === "time") ? ended : null,
    /** allowed right now; all false without a decision in force */
    allowed,
    /** pages may include Google's tag: analytics is allowed for at least the lifetime of the tag's cookies */
    measures: allowed.analytics && allowsLongEnough,
  };
}

/** Returns true if the operator has set up Google Analytics. */
export function isAnalyticsInUse({ gaMeasurementId }: ConsentSite["settings"]): boolean {
  return gaMeasurementId !== undefined;
}

/**
 * Returns why a decision is no longer in force; null while it is. A refusal stands until the version changes
 * (REQUIREMENTS 4.8). Consent is valid for that exact text and for half a year. It also ends when the browser sends
 * Global Privacy Control (11 CCR 7025(c)(3)), unless it already did so when the visitor decided.
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

/** Returns the age in seconds. An edited cookie may hold a time in the future; the age is then 0. */
function ageOf({ decidedAt }: ConsentDecision): number {
  return Math.max(0, (Date.now() - Date.parse(decidedAt)) / 1000);
}
