import { randomBytes } from "node:crypto";
import { consentVersion } from "~/content/facts";
import { type Choice, type ConsentDecision, type ConsentSource, formatDecision } from "~/lib/consent";
import { withTimeout } from "~/lib/with-timeout";
import { countConsentChoice } from "~/server/metrics.server";
import { findCookie, removeCookie, serializeCookie } from "~/server/request-cookies.server";
import { readConsentState } from "./consent-state.server";
import { hashShownText } from "./consent-text.server";
import { type SaveOutcome, saveDecision } from "./save-decision.server";

/** What a decision leaves in the visitor's browser. */
export interface Decided {
  decision: ConsentDecision;
  setCookies: string[];
}

/**
 * Makes a decision and records it. The visitor's choice stands whatever becomes of the record (spec section 8): a
 * record that could not be saved is marked in the cookie and saved later.
 * @param maySave false where this client has sent too much already: the record then waits for a later visit
 * @param patienceMs how long the visitor may wait for the record; it goes on being saved afterwards
 */
export async function decide(
  request: Request,
  choice: Choice,
  source: ConsentSource,
  { maySave = true, patienceMs = Infinity }: { maySave?: boolean; patienceMs?: number } = {},
): Promise<Decided> {
  const decision: ConsentDecision = {
    ...choice,
    source,
    version: consentVersion,
    decidedAt: new Date().toISOString(),
    recordId: findRecordId(request) ?? randomBytes(24).toString("base64url"),
    unsavedTextHash: hashShownText(source),
  };
  countConsentChoice(source, choice);
  const saving = maySave ? saveDecision(decision, request.headers.get("user-agent")) : "unavailable";
  const setCookies = keepDecision(decision, await waitAtMost(patienceMs, saving));
  const wasClosed = findCookie(request, "consentBanner") !== null;
  return { decision, setCookies: wasClosed ? [...setCookies, removeCookie("consentBanner")] : setCookies };
}

/**
 * Tries again to record a decision that could not be recorded when it was made.
 * @param maySave asked only when there is one: the mark in a cookie can be forged, so it counts like a post
 * @returns the `Set-Cookie` values that say so, once it is done
 */
export async function saveUnsaved(
  request: Request,
  { maySave, patienceMs }: { maySave: () => Promise<boolean>; patienceMs: number },
): Promise<string[]> {
  const { decision } = readConsentState(request);
  if (!decision || decision.unsavedTextHash === null || !(await maySave())) return [];
  const saving = saveDecision(decision, request.headers.get("user-agent"));
  const outcome = await waitAtMost(patienceMs, saving);
  if (outcome === "unavailable") return [];
  return [serializeCookie("consentPreference", formatDecision({ ...decision, unsavedTextHash: null }))];
}

function keepDecision(decision: ConsentDecision, outcome: SaveOutcome): string[] {
  const kept = outcome === "unavailable" ? decision : { ...decision, unsavedTextHash: null };
  return [
    serializeCookie("consentPreference", formatDecision(kept)),
    serializeCookie("consentSession", decision.recordId),
  ];
}

/**
 * The session's id, or after a restart of the browser the one that the choice was recorded under: whoever withdraws
 * changes that very record.
 */
function findRecordId(request: Request): string | null {
  const sessionId = findCookie(request, "consentSession");
  if (sessionId !== null && /^[\w-]{32,128}$/.test(sessionId)) return sessionId;
  return readConsentState(request).decision?.recordId ?? null;
}

async function waitAtMost(patienceMs: number, saving: Promise<SaveOutcome> | SaveOutcome): Promise<SaveOutcome> {
  return withTimeout(Promise.resolve(saving), patienceMs, () => "unavailable" as const);
}
