import { z } from "zod";
import { composePassword } from "../../../app/lib/passwords/password-rule.ts";
import { emailAddress, maxCharacters } from "../_shared/form-text.ts";
import { callBackend, requireSiteUrl } from "../_shared/host/backend.ts";
import { respond } from "../_shared/host/http.ts";
import { runInBackground, setting } from "../_shared/host/runtime.ts";
import { respondToSite } from "../_shared/host/site-call.ts";
import { withSiteFacts } from "../_shared/host/site-facts.ts";
import { newPasswordMail } from "../_shared/mails/account-link-mail.ts";
import { deliverDueMail } from "../_shared/outbox/deliver-due-mail.ts";
import { digestOfToken, newSecretToken } from "../_shared/secret-token.ts";
import { redeemLink } from "./redeem-link.ts";

const requestSchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("forgotten"), email: emailAddress(255) }),
  z.object({
    action: z.literal("redeem"),
    token: z.string().regex(/^[\w-]{43}$/),
    password: z.string().min(1).check(maxCharacters("the password", 1024)).overwrite(composePassword),
  }),
]);

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
export default respondToSite({
  name: "account-links",
  failure: "account-link-failed",
  schema: requestSchema,
  async serve(request) {
    if (request.action === "forgotten") {
      if (await withSiteFacts(() => requestNewPassword(request.email))) runInBackground(deliverDueMail());
      return respond(200, { ok: true });
    }
    const outcome = await withSiteFacts(() => redeemLink(request.token, request.password));
    if ("fault" in outcome) return respond(422, { error: "password", fault: outcome.fault });
    return outcome.purpose === null
      ? respond(404, { error: "unknown-link" })
      : respond(200, { ok: true, purpose: outcome.purpose });
  },
});

/**
 * Creates a link to set a new password and queues the mail with it, if the address has an account.
 * @returns whether a mail was queued
 * @throws BackendUnavailable when nothing was queued; a retry is safe
 */
async function requestNewPassword(email: string): Promise<boolean> {
  const siteUrl = requireSiteUrl();
  const token = newSecretToken();
  const mail = newPasswordMail(token, siteUrl, setting("FIRM_NAME"));
  const request = { email, token_hash: await digestOfToken(token), mail };
  return (await callBackend("request_new_password", request)) === true;
}
