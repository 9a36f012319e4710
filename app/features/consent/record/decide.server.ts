import { randomBytes } from "node:crypto";
import { consentVersion } from "~/content/cookie-registry";
import { type Choice, type ConsentDecision, type ConsentSource, formatDecision, sendsGpc } from "~/lib/consent";
import { startOfLocalDay } from "~/lib/dates";
import type { HasHeaders } from "~/lib/http/header-reader";
import { withTimeout } from "~/lib/with-timeout";
import type { Cookies } from "~/server/cookies/cookies.server";
import type { SiteContext } from "~/server/site-context.server";
import { isAnalyticsInUse, readConsentState } from "../state/consent-state.server";
import { hashShownText } from "./consent-text.server";
import { saveDecision } from "./save-decision.server";

/**
 * Makes a decision and records it. Sets the cookie even if the record cannot be saved (REQUIREMENTS 4.7): it is then
 * marked as unsaved, and the visitor's next page saves the record (`saveUnsaved`).
 * @param maySave false if this client has reached its rate limit; a later visit then saves the record
 * @returns the `Set-Cookie` values that store the decision in the visitor's browser
 */
export async function decide(
  site: SiteContext,
  request: Request,
  choice: Choice,
  source: Exclude<ConsentSource, "signal">,
  maySave: boolean,
): Promise<string[]> {
  const earlier = readConsentState(site, request).decision;
  const recordId = findRecordId(site, request, earlier) ?? createRecordId();
  const decision = {
    ...choice,
    source,
    version: consentVersion,
    decidedAt: new Date().toISOString(),
    textHash: hashShownText(source, isAnalyticsInUse(site.settings)),
    underGpc: sendsGpc(request.headers),
    recordId,
  };
  const isSaved = maySave && (await saveInOrder(site, request, [earlier, { ...decision, isUnsaved: true }]));
  const setCookies = [
    buildDecisionCookie(site.cookies, { ...decision, isUnsaved: !isSaved }),
    site.cookies.serialize("consentSession", recordId),
  ];
  const wasClosed = site.cookies.find(request, "consentBanner") !== null;
  return wasClosed ? [...setCookies, site.cookies.remove("consentBanner")] : setCookies;
}

/**
 * Saves a visitor's unsaved decisions, oldest first: the cookie has room for one, so this is the last chance to save an
 * earlier one. Stops at the first failure, because the next call would fail, too.
 * @returns true if all are saved
 */
async function saveInOrder(
  site: SiteContext,
  request: Request,
  decisions: (ConsentDecision | null)[],
): Promise<boolean> {
  for (const decision of decisions) {
    if (!decision?.isUnsaved || decision.recordId === null) continue;
    const identified = { ...decision, recordId: decision.recordId };
    if (!(await saveDecision(site, identified, request.headers.get("user-agent")))) return false;
  }
  return true;
}

/** Limits on saving a decision while a page is being served. */
export interface SavingOptions {
  /** called only when there is something to save; a cookie can be forged, so saving counts against the limit of posts */
  maySave: () => Promise<boolean>;
  /** longest wait for the record; afterward the call continues, and the next page repeats it */
  maxWaitMs: number;
}

/**
 * Saves a decision that could not be saved when it was made. A signal's refusal is always saved here, once its cookie
 * has come back: otherwise a browser without cookies would leave a record with each page.
 * @returns the `Set-Cookie` values that mark it as saved; none if it was not saved
 */
export async function saveUnsaved(
  site: SiteContext,
  request: HasHeaders,
  decision: ConsentDecision | null,
  { maySave, maxWaitMs }: SavingOptions,
): Promise<string[]> {
  if (!decision?.isUnsaved || !(await maySave())) return [];
  const bySignal = decision.source === "signal";
  // A signal's refusal gets a random id that no cookie and no log holds.
  const identified = { ...decision, recordId: decision.recordId ?? createRecordId() };
  const saving = saveDecision(site, identified, bySignal ? null : request.headers.get("user-agent"));
  if (!(await withTimeout(saving, maxWaitMs, () => false))) return [];
  const savedDecision = { ...decision, isUnsaved: false };
  return [
    buildDecisionCookie(
      site.cookies,
      bySignal ? anonymize(savedDecision, site.settings.replyClock.timeZone) : savedDecision,
    ),
  ];
}

/** Returns the `Set-Cookie` value that stores a decision in the visitor's browser. */
export function buildDecisionCookie(cookies: Cookies, decision: ConsentDecision): string {
  return cookies.serialize("consentPreference", formatDecision(decision));
}

/** Reduces a signal's decision to values that many other browsers share: the day, and no id. */
function anonymize(decision: ConsentDecision, timeZone: string): ConsentDecision {
  const dayBegan = startOfLocalDay(Date.parse(decision.decidedAt), timeZone);
  return { ...decision, recordId: null, decidedAt: new Date(dayBegan).toISOString() };
}

function createRecordId(): string {
  return randomBytes(24).toString("base64url");
}

/**
 * Finds the session id. After a restart of the browser, finds the id of the recorded decision instead, so that a
 * withdrawal changes that same record.
 */
function findRecordId(site: SiteContext, request: Request, earlier: ConsentDecision | null): string | null {
  const sessionId = site.cookies.find(request, "consentSession");
  if (sessionId !== null && /^[\w-]{32,128}$/.test(sessionId)) return sessionId;
  return earlier?.recordId ?? null;
}
