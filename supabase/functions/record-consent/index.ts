import { z } from "zod";
import { BackendUnavailable, isValueRefused, secretBackend } from "../_shared/host/backend.ts";
import { respond, refuseUnlessPost } from "../_shared/host/http.ts";
import { logEvent } from "../_shared/host/runtime.ts";
import { readSiteCall, refuseExcess } from "../_shared/host/site-call.ts";

/**
 * Stores a visitor's decision about cookies (REQUIREMENTS 4.7), from the site or from any client. The database
 * validates it, and a repeated decision changes nothing.
 *
 * 200 when it is stored; 400 for a decision that can never be stored; 429 for unsigned calls above 20 an hour; 503 when
 * nothing was stored.
 */
export default { fetch: recordConsent };

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

async function recordConsent(request: Request): Promise<Response> {
  const wrongMethod = refuseUnlessPost(request);
  if (wrongMethod) return wrongMethod;
  const call = await readSiteCall(request, "record-consent");
  if ("refusal" in call) return call.refusal;
  const decision = decisionSchema.safeParse(call.value);
  if (!decision.success) return respond(400, { error: "invalid" });
  try {
    const excess = await refuseExcess(call);
    if (excess) return excess;
    const { error } = await secretBackend().rpc("record_consent", decision.data);
    if (error && isValueRefused(error.code)) {
      logEvent({ event: "consent-refused", code: error.code });
      return respond(400, { error: "invalid" });
    }
    if (error) throw new BackendUnavailable(error.code || "unreachable");
    return respond(200, { ok: true });
  } catch (error) {
    const code = error instanceof BackendUnavailable ? error.code : "unexpected";
    logEvent({ event: "consent-not-stored", code });
    return respond(503, { error: "unavailable" });
  }
}
