import type { Choice, ConsentDecision } from "~/lib/consent";
import { formatDayOf } from "~/lib/dates";
import type { SiteContext } from "~/server/site-context.server";
import { clearForbiddenCookies, toAskedPage } from "../analytics/clear-cookies.server";
import { nameShownText } from "../record/consent-text.server";
import { type OwnRecord, findOwnRecord } from "../record/own-record.server";
import { type SavingOptions, saveUnsaved } from "../record/decide.server";
import { honorSignal, refuseBySignal } from "../record/signal.server";
import { opensPreferences } from "../ui/preferences-address";
import { type ConsentState, isAnalyticsInUse, readConsentState } from "./consent-state.server";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** what this page shows about consent: set where a page is rendered for memory, for all who get the same */
    consent?: ConsentView;
  }
}

/** Everything that a page shows about consent. */
export interface ConsentView {
  /** which words are shown (`consentWords`) */
  analyticsInUse: boolean;
  /** by which the forms say what their visitor has read (`nameShownText`) */
  texts: { banner: string; dialog: string };
  /** the banner is part of the page */
  asks: boolean;
  /** asked again, because the text has changed since or the consent is too old */
  askedAgain: ConsentState["askedAgain"];
  /** the browser sends a signal: a note says that it is honored */
  signalHonored: boolean;
  /** the page may carry Google's tag */
  measures: boolean;
  /** the address asks for the preferences, open in the page */
  preferencesOpen: boolean;
  /**
   * The decision that holds, if there is one. Where the preferences are open at their own address it says when it was made,
   * in words, and on which text; elsewhere not, so that a page is the same for all who chose the same.
   */
  choice: (Choice & { bySignal: boolean; made: { version: string; date: string } | null }) | null;
  /** what is kept of this visitor's choices: only where the preferences are open, and their browser holds its number */
  record: OwnRecord | "unavailable" | null;
}

/**
 * Reads the consent state and acts on it: stores a signal as a refusal, retries a record that could not be saved, and
 * removes cookies that are not allowed (REQUIREMENTS 4.6).
 * @param options `mayAct`: false where an action of this request has done everything already, and where nobody may ever
 *   see the page; `maySave`: asked only when there is something to record; `mayRead`: only when there is a record to show
 */
export async function openConsent(
  site: SiteContext,
  request: Request,
  { mayAct, maySave, mayRead }: { mayAct: boolean; maySave: SavingOptions["maySave"]; mayRead: () => Promise<boolean> },
): Promise<{ view: ConsentView; setCookies: readonly string[] }> {
  const state = readConsentState(site, request);
  const number = state.decision?.recordId ?? null;
  const opened = consentView(site, state, opensPreferences(new URL(request.url).search));
  const view = { ...opened, record: opened.preferencesOpen && mayAct ? await readOwn(site, number, mayRead) : null };
  if (!mayAct) return { view, setCookies: [] };
  const cleared = clearForbiddenCookies(site, toAskedPage(request), state.allowed);
  if (request.method === "HEAD") return { view, setCookies: cleared };
  const saving = { maySave, maxWaitMs: site.timeouts.consentRecord };
  const kept = state.signalDecides
    ? await honorSignal(site, request, state, saving)
    : await saveUnsaved(site, request, state.decision, saving);
  return { view, setCookies: [...cleared, ...kept] };
}

async function readOwn(site: SiteContext, number: string | null, mayRead: () => Promise<boolean>) {
  if (number === null) return null;
  return (await mayRead()) ? findOwnRecord(site, number) : "unavailable";
}

/**
 * Describes what a page shows for a consent state. The fields have few values, so that one rendered page does for many.
 * @param preferencesOpen the day of the decision is shown then as well, for one visitor alone
 */
export function consentView(
  site: Pick<SiteContext, "settings" | "clock">,
  state: ConsentState,
  preferencesOpen: boolean,
): ConsentView {
  const { settings } = site;
  const analyticsInUse = isAnalyticsInUse(settings);
  const holding = state.isCurrent ? state.decision : null;
  const decision = state.signalDecides ? refuseBySignal(site) : holding;
  return {
    analyticsInUse,
    texts: { banner: nameShownText("banner", analyticsInUse), dialog: nameShownText("dialog", analyticsInUse) },
    asks: state.asks,
    askedAgain: state.askedAgain,
    signalHonored: state.sendsSignal,
    measures: state.measures,
    preferencesOpen,
    choice: decision && describeDecision(decision, preferencesOpen ? settings.replyClock.timeZone : null),
    record: null,
  };
}

/** @param timeZone of the day to show; null leaves the day out */
function describeDecision(decision: ConsentDecision, timeZone: string | null): ConsentView["choice"] {
  const { analytics, marketing, version, decidedAt, source } = decision;
  const made = timeZone === null ? null : { version, date: formatDayOf(decidedAt, timeZone) };
  return { analytics, marketing, bySignal: source === "signal", made };
}
