import type { ConsentDecision } from "~/lib/consent";
import { callFunction } from "~/server/backend/calls/call-function.server";
import type { SiteContext } from "~/server/site-context.server";

/** The database's limit. Browsers send far shorter values. */
const maxUserAgent = 512;

/**
 * Records a decision in the database with the function record-consent, which is idempotent. A failure is only logged
 * (REQUIREMENTS 4.7).
 * @returns true if the decision need not be saved again: it is in the database, or never will be, because an edited
 *   cookie made it malformed
 */
export async function saveDecision(
  site: SiteContext,
  decision: ConsentDecision & { recordId: string },
  userAgent: string | null,
): Promise<boolean> {
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
  return outcome === "accepted" || outcome === "refused";
}
