import { z } from "zod";
import { composePassword } from "../../../app/lib/passwords/password-rule.ts";
import { deliverDueMail } from "../_shared/outbox/deliver-due-mail.ts";
import { emailAddress, maxCharacters } from "../_shared/form-text.ts";
import { BackendUnavailable } from "../_shared/host/backend.ts";
import { respond, refuseUnlessPost } from "../_shared/host/http.ts";
import { readSiteCall, refuseExcess } from "../_shared/host/site-call.ts";
import { logEvent, runInBackground } from "../_shared/host/runtime.ts";
import { withSiteFacts } from "../_shared/host/site-facts.ts";
import { redeemLink } from "./redeem-link.ts";
import { requestNewPassword } from "./request-new-password.ts";

/**
 * Public. `forgotten` emails a link to set a new password to the owner of an account. Always 200, whether or not the
 * account exists or its mailbox has reached the limit (three in an hour).
 *
 * `redeem` sets the password with an account link: the first one of an invited person, or a new one. The token is the
 * credential.
 *
 * 200 with the purpose of the link when the password is set; 404 for an unknown, expired or used link; 422 with what is
 * wrong with the password; 400 for any other invalid request; 429 for unsigned calls above 20 an hour; 503 when the
 * backend fails, after which the link still works.
 */
export default { fetch: serveAccountLinks };

const requestSchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("forgotten"), email: emailAddress(255) }),
  z.object({
    action: z.literal("redeem"),
    token: z.string().regex(/^[\w-]{43}$/),
    password: z.string().min(1).check(maxCharacters("the password", 1024)).overwrite(composePassword),
  }),
]);

async function serveAccountLinks(request: Request): Promise<Response> {
  const wrongMethod = refuseUnlessPost(request);
  if (wrongMethod) return wrongMethod;
  const call = await readSiteCall(request, "account-links");
  if ("refusal" in call) return call.refusal;
  const parsed = requestSchema.safeParse(call.value);
  if (!parsed.success) return respond(400, { error: "invalid" });
  try {
    const excess = await refuseExcess(call);
    if (excess) return excess;
    if (parsed.data.action === "forgotten") {
      const { email } = parsed.data;
      if (await withSiteFacts(() => requestNewPassword(email))) runInBackground(deliverDueMail());
      return respond(200, { ok: true });
    }
    const { token, password } = parsed.data;
    const outcome = await withSiteFacts(() => redeemLink(token, password));
    if ("fault" in outcome) return respond(422, { error: "password", fault: outcome.fault });
    return outcome.purpose === null
      ? respond(404, { error: "unknown-link" })
      : respond(200, { ok: true, purpose: outcome.purpose });
  } catch (error) {
    const code = error instanceof BackendUnavailable ? error.code : "unexpected";
    logEvent({ event: "account-link-failed", code });
    return respond(503, { error: "unavailable" });
  }
}
