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
import { type SaveOutcome, saveDecision } from "./save-decision.server";

/**
 * Makes a decision and records it. The cookie is set even if the record cannot be saved (REQUIREMENTS 4.7): the cookie then has a
 * mark, and the visitor's next page saves the record (`saveUnsaved`).
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
  site.metrics.countConsentChoice(source, choice);
  const outcome = maySave
    ? await saveInOrder(site, request, [earlier, { ...decision, isUnsaved: true }])
    : "unavailable";
  const setCookies = [
    keepDecision(site.cookies, { ...decision, isUnsaved: outcome === "unavailable" }),
    site.cookies.serialize("consentSession", recordId),
  ];
  const wasClosed = site.cookies.find(request, "consentBanner") !== null;
  return wasClosed ? [...setCookies, site.cookies.remove("consentBanner")] : setCookies;
}

/**
 * Saves those of a visitor's decisions that have yet to be, the oldest first: the cookie has room for one, so an earlier one is
 * saved now or never. The first failure says that the next would fail, too.
 * @returns the outcome of the last
 */
async function saveInOrder(
  site: SiteContext,
  request: Request,
  decisions: (ConsentDecision | null)[],
): Promise<SaveOutcome> {
  let outcome: SaveOutcome = "unavailable";
  for (const decision of decisions) {
    if (!decision?.isUnsaved || decision.recordId === null) continue;
    outcome = await saveDecision(site, { ...decision, recordId: decision.recordId }, request.headers.get("user-agent"));
    if (outcome === "unavailable") break;
  }
  return outcome;
}

/** What saving a decision on the way to a page may cost. */
export interface SavingOptions {
  /** asked only when there is something to save: whatever is in a cookie can be forged, so it counts like a post */
  maySave: () => Promise<boolean>;
  /** how long the visitor may wait for the record; the call continues, and the next page repeats it */
  maxWaitMs: number;
}

/**
 * Records a decision that could not be recorded when it was made. That of a signal is recorded here in any case,
 * once its cookie has come back: a browser that keeps none would leave a record with each page.
 * @returns the `Set-Cookie` values that say so, once it is done
 */
export async function saveUnsaved(
  site: SiteContext,
  request: HasHeaders,
  decision: ConsentDecision | null,
  { maySave, maxWaitMs }: SavingOptions,
): Promise<string[]> {
  if (!decision?.isUnsaved || !(await maySave())) return [];
  const bySignal = decision.source === "signal";
  // A number that no cookie and no log holds.
  const numbered = { ...decision, recordId: decision.recordId ?? createRecordId() };
  const saving = saveDecision(site, numbered, bySignal ? null : request.headers.get("user-agent"));
  const outcome = await withTimeout(saving, maxWaitMs, () => "unavailable" as const);
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
function findRecordId(site: SiteContext, request: Request, earlier: ConsentDecision | null): string | null {
  const sessionId = site.cookies.find(request, "consentSession");
  if (sessionId !== null && /^[\w-]{32,128}$/.test(sessionId)) return sessionId;
  return earlier?.recordId ?? null;
}
