import { logWithheld, readAcknowledgementsPerHour } from "../_shared/acknowledgement-limits.ts";
import { callForRow, requireSiteUrl } from "../_shared/host/backend.ts";
import { complaintAcknowledgement, complaintNotification } from "../_shared/mails/complaint-mail.ts";
import { requestAcknowledgement, requestNotification } from "../_shared/mails/data-rights-mail.ts";
import { dataRightsRequestSchema, type DataRightsRequest } from "../_shared/data-rights-request.ts";
import { deliverDueMail } from "../_shared/outbox/deliver-due-mail.ts";
import { respond } from "../_shared/host/http.ts";
import { type ClientCodes, respondToSite } from "../_shared/host/site-call.ts";
import { runInBackground } from "../_shared/host/runtime.ts";
import { withSiteFacts } from "../_shared/host/site-facts.ts";
import { digestOfToken, newSecretToken } from "../_shared/secret-token.ts";

/**
 * Receives a data rights request or a complaint, from the site or from any client: validates all input again. The
 * header `x-client-code` identifies the client for the mail limits (see readSiteCall). A tripped honeypot only marks
 * the request for the admin, because its deadline is statutory.
 *
 * 200 means that the request is stored and its deadline runs (GDPR, article 12(3)); the mail with reference, due date
 * and links is sent afterwards, within `hours` if that is not 0. The response does not depend on whether the address is
 * known or the request is a repetition. 400 names the invalid fields; 429 rejects unsigned calls above 20 an hour, and
 * requests whose mail would have no place in the line (`line-full`); 503 means that nothing was stored.
 */
export default respondToSite({
  name: "receive-data-rights-request",
  failure: "data-rights-request-not-stored",
  schema: dataRightsRequestSchema,
  namesFields: true,
  mail: "request-acknowledgement",
  async serve(request, { codes }) {
    const { is_new, hours, withheld_by } = await withSiteFacts(() => storeRequest(request, codes));
    if (withheld_by !== null) logWithheld([{ kind: "request-acknowledgement", reason: withheld_by }]);
    if (is_new) runInBackground(deliverDueMail());
    return respond(200, { ok: true, hours: hours || undefined });
  },
});

async function storeRequest(request: DataRightsRequest, codes: ClientCodes) {
  const { name, email, requestType, description, honeypot } = request;
  const looksSuspicious = honeypot !== "";
  const siteUrl = requireSiteUrl();
  const tokens = { confirm: newSecretToken(), status: newSecretToken() };
  const [confirmTokenHash, statusTokenHash] = await Promise.all([
    digestOfToken(tokens.confirm),
    digestOfToken(tokens.status),
  ]);
  return callForRow<{ is_new: boolean; hours: number; withheld_by: string | null }>("receive_data_rights_request", {
    request: { name, email, request_type: requestType, description },
    confirm_token_hash: confirmTokenHash,
    status_token_hash: statusTokenHash,
    quarantine_reason: looksSuspicious ? "honeypot" : null,
    mails:
      requestType === "complaint"
        ? [complaintAcknowledgement(email, tokens, siteUrl), complaintNotification(siteUrl, looksSuspicious)]
        : [requestAcknowledgement(email, tokens, siteUrl), requestNotification(requestType, siteUrl, looksSuspicious)],
    client_codes: codes,
    acknowledgements_per_hour: readAcknowledgementsPerHour(),
  });
}
