import { consentChanges } from "~/content/privacy/consent";
import { consentVersion } from "~/content/facts";
import type { Choice, ConsentDecision } from "~/lib/consent";
import { formatDay } from "~/lib/dates";
import { clearForbiddenCookies } from "../analytics/clear-cookies.server";
import { type ConsentState, readConsentState } from "./consent-state.server";
import type { SiteContext } from "~/server/site-context.server";
import { decide, saveUnsaved } from "../record/decide.server";
import { preferencesParameter } from "../ui/preferences-address";

/** What the document shows about consent. */
export interface ConsentView {
  /** the banner is part of the page */
  asks: boolean;
  /** asked again: what was chosen before, and what has changed since */
  askedAgain: { version: string; change: string | null } | null;
  /** the browser's signal decided: a note says so */
  signalHonored: boolean;
  /** the address asks for the preferences, open in the page */
  preferencesOpen: boolean;
  /** the decision that holds, if there is one; `date` in words */
  choice: (Choice & { version: string; date: string; bySignal: boolean }) | null;
}

/** How long a page waits for a record to be saved; after that it is saved in the background. */
const maxWaitMs = 150;

/**
 * Reads the consent state and acts on it: stores a signal as a refusal, retries a record that could not be saved, and
 * removes cookies that are not allowed (REQUIREMENTS 4.6).
 * @param options `isAnswered`: an action of this request has said everything already; `maySave`: asked only when there
 *   is something to record
 */
export async function openConsent(
  site: SiteContext,
  request: Request,
  { isAnswered, maySave }: { isAnswered: boolean; maySave: () => Promise<boolean> },
): Promise<{ view: ConsentView; setCookies: string[] }> {
  const state = readConsentState(site.cookies, request);
  if (isAnswered) return { view: toConsentView(state, request), setCookies: [] };
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
  return {
    asks,
    askedAgain: asks && decision ? { version: decision.version, change: consentChanges[consentVersion] ?? null } : null,
    signalHonored: isCurrent && decision?.source === "signal",
    preferencesOpen: new URL(request.url).searchParams.get(preferencesParameter) === "open",
    choice: isCurrent && decision ? describeDecision(decision) : null,
  };
}

function describeDecision({
  analytics,
  marketing,
  version,
  decidedAt,
  source,
}: ConsentDecision): ConsentView["choice"] {
  return { analytics, marketing, version, date: formatDay(decidedAt), bySignal: source === "signal" };
}
