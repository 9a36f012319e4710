import type { ConsentDecision } from "~/lib/consent";
import { tryFunction } from "~/server/backend/calls/call-function.server";
import type { SiteContext } from "~/server/site-context.server";

/**
 * `saved`: the record and its history are in the database. `refused`: they never will be (the database found the
 * decision malformed, which a cookie that somebody edited can be). `unavailable`: not now.
 */
export type SaveOutcome = "saved" | "refused" | "unavailable";

/** The database's limit; what browsers send is far shorter. */
const maxUserAgent = 512;

/**
 * Records a decision in the database by the function record-consent, which changes nothing when it comes again. A failure is only
 * logged (REQUIREMENTS 4.7).
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
  const result = await tryFunction(site, { name: "record-consent", failure: "consent.unsaved", body });
  return result === "accepted" ? "saved" : result;
}
