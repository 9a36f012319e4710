import type { ConsentDecision } from "~/lib/consent";
import { callFunction } from "~/server/backend/calls/call-function.server";
import type { SiteContext } from "~/server/site-context.server";

/**
 * `saved`: the record and its history are in the database. `refused`: permanent, the database found the decision
 * malformed, as an edited cookie can make it. `unavailable`: try again later.
 */
export type SaveOutcome = "saved" | "refused" | "unavailable";

/** The database's limit. Browsers send far shorter values. */
const maxUserAgent = 512;

/**
 * Records a decision in the database with the function record-consent, which is idempotent. A failure is only logged
 * (REQUIREMENTS 4.7).
 */
export async function saveDecision(
  site: SiteContext,
  decision: ConsentDecision & { recordId: string },
  userAgent: string | null,
): Promise<SaveOutcome> {
  const body = {
    session_id: decision.recordId,
    analytics: decision.analytics,
    marketing: decision.marketing,
    consent_version: decision.version,
    text_hash: decision.textHash,
    source: decision.source,
    user_agent: userAgent?.slice(0, maxUserAgent) ?? null,
    decided_at: decision.decidedAt,
  };
  const { outcome } = await callFunction(site, { name: "record-consent", failure: "consent.unsaved", body });
  if (outcome === "accepted") return "saved";
  return outcome === "refused" ? "refused" : "unavailable";
}
