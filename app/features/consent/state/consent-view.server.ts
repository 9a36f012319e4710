import type { ConsentDecision } from "~/lib/consent";
import { formatDayOf } from "~/lib/dates";
import type { SiteContext } from "~/server/site-context.server";
import { clearForbiddenCookies, toRequestedPage } from "../analytics/clear-cookies.server";
import { nameShownText } from "../record/consent-text.server";
import { type OwnRecord, findOwnRecord } from "../record/own-record.server";
import { type SavingOptions, saveUnsaved } from "../record/decide.server";
import { honorSignal, refuseBySignal } from "../record/signal.server";
import { opensPreferences } from "../ui/preferences-address";
import { type ConsentState, isAnalyticsInUse, readConsentState } from "./consent-state.server";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /**
     * consent as this page shows it; set when a page is rendered for page memory, for everyone who gets the same
     * variant
     */
    consent?: ConsentView;
  }
}

/** Everything that a page shows about consent. */
export type ConsentView = Omit<ReturnType<typeof consentView>, "record"> & {
  /** the visitor's own consent record; set only where the preferences are open and the browser sends the record's id */
  record: OwnRecord | "unavailable" | null;
};

/**
 * Reads the consent state and acts on it: stores a signal as a refusal, retries saving an unsaved record, and removes
 * cookies that are not allowed (REQUIREMENTS 4.6).
 * @param options `mayAct`: false if an action of this request has already done so, or if the page may never be seen;
 * `maySave`: called only when there is something to save; `mayRead`: called only when there is a record to show
 */
export async function openConsent(
  site: SiteContext,
  request: Request,
  { mayAct, maySave, mayRead }: { mayAct: boolean; maySave: SavingOptions["maySave"]; mayRead: () => Promise<boolean> },
): Promise<{ view: ConsentView; setCookies: readonly string[] }> {
  const state = readConsentState(site, request);
  const recordId = state.decision?.recordId ?? null;
  const opened = consentView(site, state, opensPreferences(new URL(request.url).search));
  const view = {
    ...opened,
    record: opened.preferencesOpen && mayAct ? await readOwnRecord(site, recordId, mayRead) : null,
  };
  if (!mayAct) return { view, setCookies: [] };
  const cleared = clearForbiddenCookies(site, toRequestedPage(request), state.allowed);
  if (request.method === "HEAD") return { view, setCookies: cleared };
  const saving = { maySave, maxWaitMs: site.timeouts.consentRecord };
  const saved = state.signalDecides
    ? await honorSignal(site, request, state, saving)
    : await saveUnsaved(site, request, state.decision, saving);
  return { view, setCookies: [...cleared, ...saved] };
}

async function readOwnRecord(site: SiteContext, recordId: string | null, mayRead: () => Promise<boolean>) {
  if (recordId === null) return null;
  return (await mayRead()) ? findOwnRecord(site, recordId) : "unavailable";
}

/**
 * Describes how a page shows a consent state. The fields have few values, so that few variants cover all visitors.
 * @param preferencesOpen adds the day of the decision, which makes the page specific to one visitor
 */
export function consentView(
  site: Pick<SiteContext, "settings" | "clock">,
  { isCurrent, decision: stored, signalDecides, asks, askedAgain, sendsSignal, measures }: ConsentState,
  preferencesOpen: boolean,
) {
  const { settings } = site;
  const analyticsInUse = isAnalyticsInUse(settings);
  const current = isCurrent ? stored : null;
  const decision = signalDecides ? refuseBySignal(site) : current;
  return {
    /** selects the texts (`consentWords`) */
    analyticsInUse,
    /** sent back by the forms to identify the text that the visitor read */
    texts: { banner: nameShownText("banner", analyticsInUse), dialog: nameShownText("dialog", analyticsInUse) },
    /** the page shows the banner */
    asks,
    /** why an earlier decision no longer counts */
    askedAgain,
    /** the browser sends a signal; a note says that it is honored */
    signalHonored: sendsSignal,
    /** the page may carry Google's tag */
    measures,
    /** the address opens the preferences within the page */
    preferencesOpen,
    /** the decision in force, if any */
    choice: decision && describeDecision(decision, preferencesOpen ? settings.replyClock.timeZone : null),
    record: null,
  };
}

/**
 * Describes a decision. `made` is null unless the preferences are open at their own address, so that visitors with the
 * same decision share one variant.
 * @param timeZone zone of the day to show; null leaves the day out
 */
function describeDecision(decision: ConsentDecision, timeZone: string | null) {
  const { analytics, marketing, version, decidedAt, source } = decision;
  const made = timeZone === null ? null : { version, date: formatDayOf(decidedAt, timeZone) };
  return { analytics, marketing, bySignal: source === "signal", made };
}
