import { randomBytes } from "node:crypto";
import { consentVersion } from "~/content/cookie-registry";
import { type Choice, type ConsentDecision, type ConsentSource, formatDecision, sendsGpc } from "~/lib/consent";
import { startOfLocalDay } from "~/lib/dates";
import { withTimeout } from "~/lib/with-timeout";
import type { Cookies } from "~/server/cookies/cookies.server";
import type { SiteContext } from "~/server/site-context.server";
import { isAnalyticsInUse, readConsentState } from "../state/consent-state.server";
import { hashShownText } from "./consent-text.server";
import { createDecisionStore } from "./save-decision.server";

/**
 * Makes a decision and records it. The cookie is set even if the record cannot be saved (REQUIREMENTS 4.7): it is then
 * marked in the cookie and retried.
 * @param maySave false where this client has sent too much already: the record then waits for a later visit
 * @returns the `Set-Cookie` values that keep it in the visitor's browser
 */
export async function decide(
  site: SiteContext,
  request: Request,
  choice: Choice,
  source: Exclude<ConsentSource, "signal">,
  maySave: boolean,
): Promise<string[]> {
  const recordId = findRecordId(site, request) ?? createRecordId();
  const decision: ConsentDecision = {
    ...choice,
    source,
    version: consentVersion,
    decidedAt: new Date().toISOString(),
    textHash: hashShownText(source, isAnalyticsInUse(site.settings)),
    underGpc: sendsGpc(request.headers),
    recordId,
    isUnsaved: true,
  };
  site.metrics.countConsentChoice(source, choice);
  const outcome = maySave
    ? await site
        .feature(createDecisionStore)
        .save({ ...decision, recordId }, { userAgent: request.headers.get("user-agent") })
    : "unavailable";
  const setCookies = [
    keepDecision(site.cookies, { ...decision, isUnsaved: outcome === "unavailable" }),
    site.cookies.serialize("consentSession", recordId),
  ];
  const wasClosed = site.cookies.find(request, "consentBanner") !== null;
  return wasClosed ? [...setCookies, site.cookies.remove("consentBanner")] : setCookies;
}

/** What saving a decision on the way to a page may cost. */
export interface SavingOptions {
  /** asked only when there is something to save: whatever is in a cookie can be forged, so it counts like a post */
  maySave: () => Promise<boolean>;
  /** how long the visitor may wait for the record; saving continues in the background */
  maxWaitMs: number;
}

/**
 * Tries again to record a decision that could not be recorded when it was made. That of a signal is recorded here in any case,
 * once its cookie has come back: a browser that keeps none would leave a record with each page.
 * @returns the `Set-Cookie` values that say so, once it is done
 */
export async function saveUnsaved(
  site: SiteContext,
  request: Request,
  decision: ConsentDecision | null,
  { maySave, maxWaitMs }: SavingOptions,
): Promise<string[]> {
  if (!decision?.isUnsaved || !(await maySave())) return [];
  const bySignal = decision.source === "signal";
  const saving = site.feature(createDecisionStore).save(
    // A number that nobody is told: no cookie and no log holds it.
    { ...decision, recordId: decision.recordId ?? createRecordId() },
    { userAgent: bySignal ? null : request.headers.get("user-agent"), retries: decision.recordId !== null },
  );
  const outcome = await withTimeout(Promise.resolve(saving), maxWaitMs, () => "unavailable" as const);
  if (outcome === "unavailable") return [];
  if (bySignal) site.metrics.countConsentChoice("signal", decision);
  const recorded = { ...decision, isUnsaved: false };
  return [keepDecision(site.cookies, bySignal ? withoutTraces(recorded, site.settings.replyClock.timeZone) : recorded)];
}

/** The `Set-Cookie` value that keeps a decision in the visitor's browser. */
export function keepDecision(cookies: Cookies, decision: ConsentDecision): string {
  return cookies.serialize("consentPreference", formatDecision(decision));
}

/** What a signal leaves in a browser: nothing that many others do not have as well. */
function withoutTraces(decision: ConsentDecision, timeZone: string): ConsentDecision {
  const dayBegan = startOfLocalDay(Date.parse(decision.decidedAt), timeZone);
  return { ...decision, recordId: null, decidedAt: new Date(dayBegan).toISOString() };
}

function createRecordId(): string {
  return randomBytes(24).toString("base64url");
}

/**
 * The session id, or after a restart of the browser the id under which the choice was recorded, so that a withdrawal
 * changes that same record.
 */
function findRecordId(site: SiteContext, request: Request): string | null {
  const sessionId = site.cookies.find(request, "consentSession");
  if (sessionId !== null && /^[\w-]{32,128}$/.test(sessionId)) return sessionId;
  return readConsentState(site, request).decision?.recordId ?? null;
}
