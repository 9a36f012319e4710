import { z } from "zod";
import { logWithheld, readAcknowledgementsPerHour } from "../_shared/acknowledgement-limits.ts";
import { emailAddress } from "../_shared/form-text.ts";
import { callForRow } from "../_shared/host/backend.ts";
import { respond } from "../_shared/host/http.ts";
import { runInBackground } from "../_shared/host/runtime.ts";
import { type ClientCodes, respondToSite } from "../_shared/host/site-call.ts";
import { withSiteFacts } from "../_shared/host/site-facts.ts";
import { composeNetworkMail, networkLinkMail } from "../_shared/mails/network-mail.ts";
import { deliverDueMail } from "../_shared/outbox/deliver-due-mail.ts";
import { releaseWaitingMail } from "../_shared/outbox/release-waiting-mail.ts";

const requestSchema = z.union([
  z.object({ email: emailAddress(255) }),
  z.object({ token: z.string().regex(/^[\w-]{43,128}$/) }),
]);

/**
 * Public. Emails a member of the investor network a new link to their page, given their address or the token of a
 * letter to them. The header `x-client-code` identifies the client for the mail limits (see readSiteCall).
 *
 * 200 for an email address or a token, whether or not it is a member's, with the most `hours` until a mail would go; 400
 * for anything else; 429 for unsigned calls above 20 an hour, and `line-full` when no mail could wait; 503 when the backend fails, after which a retry is safe.
 */
export default respondToSite({
  name: "network-link",
  failure: "network-link-not-sent",
  schema: requestSchema,
  mail: "network",
  async serve(member, { codes }) {
    const { hours, withheld_by } = await withSiteFacts(() => queueLink(member, codes));
    if (withheld_by !== null) logWithheld([{ kind: "network", reason: withheld_by }]);
    runInBackground(releaseWaitingMail().then(() => deliverDueMail()));
    return respond(200, { ok: true, hours: hours || undefined });
  },
});

function queueLink(member: z.output<typeof requestSchema>, codes: ClientCodes) {
  return callForRow<{ hours: number; withheld_by: string | null }>("ask_network_link", {
    ...member,
    mail: composeNetworkMail(networkLinkMail),
    client_codes: codes,
    per_hour: readAcknowledgementsPerHour(),
  });
}
