import { consentChanges } from "~/content/privacy/consent";
import { consentVersion } from "~/content/facts";
import type { Choice, ConsentDecision } from "~/lib/consent";
import { formatDay } from "~/lib/dates";
import { clearForbiddenCookies } from "../analytics/clear-cookies.server";
import { type ConsentState, readConsentState } from "./consent-state.server";
import type { SiteContext } from "~/server/site-context.server";
import { decide, saveUnsaved } from "../record/decide.server";
import { opensPreferences } from "../ui/preferences-address";

/** What the document shows about consent. */
export interface ConsentView {
  /** the banner is part of the page */
  asks: boolean;
  /** asked again, because the text has changed since: how */
  askedAgain: { change: string | null } | null;
  /** the browser's signal decided: a note says so */
  signalHonored: boolean;
  /** the address asks for the preferences, open in the page */
  preferencesOpen: boolean;
  /**
   * The decision that holds, if there is one. Where the preferences are open at their own address it says when it was made,
   * in words, and on which text; elsewhere not, so that a page is the same for all who chose the same.
   */
  choice: (Choice & { bySignal: boolean; made: { version: string; date: string } | null }) | null;
}

/**
 * Reads the consent state and acts on it: stores a signal as a refusal, retries a record that could not be saved, and
 * removes cookies that are not allowed (REQUIREMENTS 4.6).
 * @param options `mayAct`: false where an action of this request has done everything already, and where nobody may ever
 *   see the page; `maySave`: asked only when there is something to record
 */
export async function openConsent(
  site: SiteContext,
  request: Request,
  { mayAct, maySave }: { mayAct: boolean; maySave: () => Promise<boolean> },
): Promise<{ view: ConsentView; setCookies: string[] }> {
  const state = readConsentState(site.cookies, request);
  const maxWaitMs = site.timeouts.consentRecord;
  if (!mayAct) return { view: toConsentView(state, request), setCookies: [] };
  const cleared = clearForbiddenCookies(site.settings, request, state.allowed);
  if (request.method === "HEAD") return { view: toConsentView(state, request), setCookies: cleared };
  if (state.signalDecides) {
    const refusal = { analytics: false, marketing: false };
    const { decision, setCookies } = await decide(site, request, refusal, "signal", {
      maySave: await maySave(),
      maxWaitMs,
    });
    const view = toConsentView({ ...state, decision, isCurrent: true }, request);
    return { view, setCookies: [...cleared, ...setCookies] };
  }
  const saved = await saveUnsaved(site, request, { maySave, maxWaitMs });
  return { view: toConsentView(state, request), setCookies: [...cleared, ...saved] };
}

function toConsentView({ decision, isCurrent, asks }: ConsentState, request: Request): ConsentView {
  const isOpen = opensPreferences(new URL(request.url).search);
  return {
    asks,
    askedAgain: asks && decision ? { change: consentChanges[consentVersion] ?? null } : null,
    signalHonored: isCurrent && decision?.source === "signal",
    preferencesOpen: isOpen,
    choice: isCurrent && decision ? describeDecision(decision, isOpen) : null,
  };
}

function describeDecision(decision: ConsentDecision, inFull: boolean): ConsentView["choice"] {
  const { analytics, marketing, version, decidedAt, source } = decision;
  const made = inFull ? { version, date: formatDay(decidedAt) } : null;
  return { analytics, marketing, bySignal: source === "signal", made };
}
