import { z } from "zod";
import { BackendUnavailable, isValueRefused, tryBackend } from "../_shared/host/backend.ts";
import { respond } from "../_shared/host/http.ts";
import { logEvent } from "../_shared/host/runtime.ts";
import { respondToSite } from "../_shared/host/site-call.ts";

/** Parameters of the database function `record_consent`, which validates their values. */
const decisionSchema = z.strictObject({
  session_id: z.string(),
  analytics: z.boolean(),
  marketing: z.boolean(),
  consent_version: z.string(),
  text_hash: z.string(),
  source: z.string(),
  user_agent: z.string().nullable(),
  decided_at: z.string(),
});

/**
 * Stores a visitor's decision about cookies (REQUIREMENTS 4.7), from the site or from any client. The database
 * validates it, and a repeated decision changes nothing.
 *
 * 200 when it is stored; 400 for a decision that can never be stored; 429 for unsigned calls above 20 an hour; 503 when
 * nothing was stored.
 */
export default respondToSite({
  name: "record-consent",
  failure: "consent-not-stored",
  schema: decisionSchema,
  async serve(decision) {
    const { code } = await tryBackend("record_consent", decision);
    if (code === null) return respond(200, { ok: true });
    if (!isValueRefused(code)) throw new BackendUnavailable(code);
    logEvent({ event: "consent-refused", code });
    return respond(400, { error: "invalid" });
  },
});
