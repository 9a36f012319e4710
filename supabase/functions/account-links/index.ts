import { z } from "zod";
import { deliverDueMail } from "../_shared/outbox/deliver-due-mail.ts";
import { emailAddress, maxCharacters } from "../_shared/form-text.ts";
import { BackendUnavailable } from "../_shared/host/backend.ts";
import { answer, refuseUnlessPost } from "../_shared/host/http.ts";
import { readSiteCall, refuseExcess } from "../_shared/host/site-call.ts";
import { logEvent, runInBackground } from "../_shared/host/runtime.ts";
import { redeemLink } from "./redeem-link.ts";
import { requestNewPassword } from "./request-new-password.ts";

/**
 * For anybody. `forgotten` has a link to set a new password mailed to the owner of an account: 200 whether there is one or
 * not, and whether its mailbox has had enough (three in an hour).
 *
 * `redeem` sets the password of whoever holds a link into an account: an invited person's first one, or a new one. The
 * token is what counts. 200 with what the link was for when the password is set; 404 for a link that is unknown, expired or used; 422 with
 * what is wrong with the password; 400 for anything else; 429 for
 * unsigned calls above 20 an hour; 503 when the backend fails, after which the link still works.
 */
export default { fetch: serveAccountLinks };

const requestSchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("forgotten"), email: emailAddress(255) }),
  z.object({
    action: z.literal("redeem"),
    token: z.string().regex(/^[\w-]{43}$/),
    password: z.string().normalize("NFC").min(1).check(maxCharacters("the password", 1024)),
  }),
]);

async function serveAccountLinks(request: Request): Promise<Response> {
  const wrongMethod = refuseUnlessPost(request);
  if (wrongMethod) return wrongMethod;
  const call = await readSiteCall(request, "account-links");
  if ("refusal" in call) return call.refusal;
  const wanted = requestSchema.safeParse(call.value);
  if (!wanted.success) return answer(400, { error: "invalid" });
  try {
    const excess = await refuseExcess(call);
    if (excess) return excess;
    if (wanted.data.action === "forgotten") {
      if (await requestNewPassword(wanted.data.email)) runInBackground(deliverDueMail());
      return answer(200, { ok: true });
    }
    const outcome = await redeemLink(wanted.data.token, wanted.data.password);
    if ("fault" in outcome) return answer(422, { error: "password", fault: outcome.fault });
    return outcome.purpose === null
      ? answer(404, { error: "unknown-link" })
      : answer(200, { ok: true, purpose: outcome.purpose });
  } catch (error) {
    const code = error instanceof BackendUnavailable ? error.code : "unexpected";
    logEvent({ event: "account-link-failed", code });
    return answer(503, { error: "unavailable" });
  }
}
