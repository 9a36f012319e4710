import { consentVersion } from "~/content/facts";
import { type Choice, type ConsentDecision, asksNotToBeTracked, parseDecision } from "~/lib/consent";
import type { HasHeaders } from "~/lib/http/header-reader";
import type { Cookies } from "~/server/cookies/cookies.server";

/** Consent state derived from the request. */
export interface ConsentState {
  /** the stored decision, of whatever version of the text */
  decision: ConsentDecision | null;
  /** the decision holds: it was made on the present text */
  isCurrent: boolean;
  /** the browser asks not to be tracked, and nothing that holds says otherwise: this is to be stored as a refusal */
  signalDecides: boolean;
  /** the question is to be asked: nothing decides, and it was not closed for this visit */
  asks: boolean;
  /** what is allowed right now; nothing unless a current decision says so */
  allowed: Choice;
}

/** Reads it from the request alone, so that a cached page can be chosen without a call of the backend. */
export function readConsentState(cookies: Cookies, request: HasHeaders): ConsentState {
  const decision = parseDecision(cookies.find(request, "consentPreference") ?? "");
  const isCurrent = decision?.version === consentVersion;
  const signalDecides = !isCurrent && asksNotToBeTracked(request.headers);
  return {
    decision,
    isCurrent,
    signalDecides,
    asks: !isCurrent && !signalDecides && cookies.find(request, "consentBanner") === null,
    allowed: {
      analytics: isCurrent && decision.analytics,
      marketing: isCurrent && decision.marketing,
    },
  };
}
