import { randomBytes } from "node:crypto";
import { consentVersion } from "~/content/facts";
import { type Choice, type ConsentDecision, type ConsentSource, formatDecision } from "~/lib/consent";
import { withTimeout } from "~/lib/with-timeout";
import type { Cookies } from "~/server/cookies/cookies.server";
import type { SiteContext } from "~/server/site-context.server";
import { readConsentState } from "../state/consent-state.server";
import { hashShownText } from "./consent-text.server";
import { type SaveOutcome, createDecisionStore } from "./save-decision.server";

/** What a decision leaves in the visitor's browser. */
export interface Decided {
  decision: ConsentDecision;
  setCookies: string[];
}

/**
 * Makes a decision and records it. The cookie is set even if the record cannot be saved (REQUIREMENTS 4.7): it is then
 * marked in the cookie and retried.
 * @param maySave false where this client has sent too much already: the record then waits for a later visit
 * @param maxWaitMs how long the visitor may wait for the record; saving continues in the background
 */
export async function decide(
  site: SiteContext,
  request: Request,
  choice: Choice,
  source: ConsentSource,
  { maySave = true, maxWaitMs = Infinity }: { maySave?: boolean; maxWaitMs?: number } = {},
): Promise<Decided> {
  const decision: ConsentDecision = {
    ...choice,
    source,
    version: consentVersion,
    decidedAt: new Date().toISOString(),
    recordId: findRecordId(site.cookies, request) ?? randomBytes(24).toString("base64url"),
    unsavedTextHash: hashShownText(source),
  };
  site.metrics.countConsentChoice(source, choice);
  const saving = maySave
    ? site.feature(createDecisionStore).save(decision, request.headers.get("user-agent"))
    : "unavailable";
  const setCookies = keepDecision(
    site.cookies,
    decision,
    await withTimeout(Promise.resolve(saving), maxWaitMs, unavailable),
  );
  const wasClosed = site.cookies.find(request, "consentBanner") !== null;
  return { decision, setCookies: wasClosed ? [...setCookies, site.cookies.remove("consentBanner")] : setCookies };
}

/**
 * Tries again to record a decision that could not be recorded when it was made.
 * @param maySave asked only when there is one: the mark in a cookie can be forged, so it counts like a post
 * @returns the `Set-Cookie` values that say so, once it is done
 */
export async function saveUnsaved(
  site: SiteContext,
  request: Request,
  { maySave, maxWaitMs }: { maySave: () => Promise<boolean>; maxWaitMs: number },
): Promise<string[]> {
  const { decision } = readConsentState(site.cookies, request);
  if (!decision || decision.unsavedTextHash === null || !(await maySave())) return [];
  const saving = site.feature(createDecisionStore).save(decision, request.headers.get("user-agent"));
  const outcome = await withTimeout(Promise.resolve(saving), maxWaitMs, unavailable);
  if (outcome === "unavailable") return [];
  return [site.cookies.serialize("consentPreference", formatDecision({ ...decision, unsavedTextHash: null }))];
}

const unavailable = () => "unavailable" as const;

function keepDecision(cookies: Cookies, decision: ConsentDecision, outcome: SaveOutcome): string[] {
  const kept = outcome === "unavailable" ? decision : { ...decision, unsavedTextHash: null };
  return [
    cookies.serialize("consentPreference", formatDecision(kept)),
    cookies.serialize("consentSession", decision.recordId),
  ];
}

/**
 * The session id, or after a restart of the browser the id under which the choice was recorded, so that a withdrawal
 * changes that same record.
 */
function findRecordId(cookies: Cookies, request: Request): string | null {
  const sessionId = cookies.find(request, "consentSession");
  if (sessionId !== null && /^[\w-]{32,128}$/.test(sessionId)) return sessionId;
  return readConsentState(cookies, request).decision?.recordId ?? null;
}
