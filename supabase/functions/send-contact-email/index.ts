import { z } from "zod";
import { computeReplyDue, describeClosing } from "../../../app/lib/reply-promise.ts";
import { logWithheld, readAcknowledgementsPerHour, type WithheldMail } from "../_shared/acknowledgement-limits.ts";
import { callForRow } from "../_shared/host/backend.ts";
import { contactMails } from "../_shared/mails/contact-mail.ts";
import { heldBackMails } from "../_shared/mails/held-back-mail.ts";
import { consentProofSchema, contactMessageSchema } from "../_shared/contact-message.ts";
import { deliverDueMail } from "../_shared/outbox/deliver-due-mail.ts";
import { respond } from "../_shared/host/http.ts";
import { type SiteCall, respondToSite } from "../_shared/host/site-call.ts";
import { readMailContent } from "../_shared/mails/mail-content.ts";
import { runInBackground, setting } from "../_shared/host/runtime.ts";
import { withSiteFacts } from "../_shared/host/site-facts.ts";
import { digestOfToken, newSecretToken } from "../_shared/secret-token.ts";
import { readReplyClock } from "../_shared/reply-clock.ts";
import { composeNetworkMail, networkAskMail } from "../_shared/mails/network-mail.ts";
import { networkDetailsSchema, toMemberColumns } from "../_shared/network-details.ts";

/** Validates a sender's wish to join the investor network, with the proof of their consent. */
const networkWishSchema = networkDetailsSchema.extend(consentProofSchema.shape);

const requestSchema = contactMessageSchema.extend({
  // Missing when another client calls the function.
  ...consentProofSchema.partial().shape,
  network: networkWishSchema.optional(),
});

/**
 * Receives a contact message (REQUIREMENTS 3.3), from the site or from any client: validates all input again. The
 * headers `x-client-address` and `x-client-code` identify the client (see readSiteCall, readClientCodes).
 *
 * 200 means that the message is stored; mail is sent afterwards, and a mail failure never fails the request. A message
 * that tripped the honeypot gets the same 200, though at most the firm gets mail about it. So does a repeated message,
 * which counts once a day. 400 names the invalid fields; 429 rejects unsigned calls above 20 an hour, and wishes to join
 * whose mail would have no place in the line (`line-full`); 503 means that nothing was stored.
 *
 * The optional part `network` asks to join the investor network. It is stored with the message, and its sender gets one
 * mail to confirm it, within `hours` if that is not 0. The response does not depend on whether the address is known.
 */
export default respondToSite({
  name: "send-contact-email",
  failure: "contact-message-not-stored",
  schema: requestSchema,
  namesFields: true,
  mail: "network",
  async serve(message, call) {
    const { is_new, hours, withheld } = await withSiteFacts(() => receiveContactMessage(message, call));
    logWithheld(withheld);
    // A repeated message can ask to join, too.
    if (is_new || message.network) runInBackground(deliverDueMail());
    return respond(200, { ok: true, hours: hours || undefined });
  },
});

async function receiveContactMessage(message: z.output<typeof requestSchema>, { codes, address }: SiteCall) {
  const { honeypot, privacyConsent, consentPolicyVersion, consentTextHash, network, ...texts } = message;
  const quarantineReason = honeypot === "" ? null : "honeypot";
  const clock = readReplyClock();
  const dueAt = computeReplyDue(new Date(), clock);
  const answerToken = newSecretToken();
  const id = crypto.randomUUID();
  const asksToJoin = network !== undefined;
  const mailSite = { id, url: setting("SITE_URL"), mailContent: readMailContent(), asksToJoin };
  const signers = { firm: setting("FIRM_NAME"), person: setting("FOUNDER_NAME") };
  const parameters = {
    submission: {
      ...texts,
      id,
      answer_due_at: dueAt,
      answer_token_hash: await digestOfToken(answerToken),
      ip_address: ipAddressSchema.safeParse(address).data ?? null,
      consented: privacyConsent,
      consent_policy_version: consentPolicyVersion,
      consent_text_hash: consentTextHash,
    },
    // Includes the reason for quarantine: a person whose first attempt tripped the honeypot succeeds with the second.
    fingerprint: await digestOfToken(JSON.stringify([quarantineReason, ...Object.values(texts)])),
    quarantine_reason: quarantineReason,
    mails:
      quarantineReason === null
        ? contactMails(message, {
            ...mailSite,
            ...signers,
            promise: { ...clock, dueAt, closing: describeClosing(new Date(), clock) },
            answerToken,
          })
        : heldBackMails(message, mailSite),
    client_codes: codes,
    acknowledgements_per_hour: readAcknowledgementsPerHour(),
    membership: composeMembership(network),
  };
  type Receipt = { is_new: boolean; hours: number | null; withheld: WithheldMail[] };
  return callForRow<Receipt>("receive_contact_submission", parameters);
}

/**
 * Writes the membership for `receive_contact_submission`, with the one mail that its holder confirms.
 * @returns null without a wish
 */
function composeMembership(wish: z.output<typeof networkWishSchema> | undefined) {
  if (wish === undefined) return null;
  const { consentPolicyVersion, consentTextHash, ...details } = wish;
  return {
    ...toMemberColumns(details),
    consent_policy_version: consentPolicyVersion,
    consent_text_hash: consentTextHash,
    mail: composeNetworkMail(networkAskMail),
  };
}

const ipAddressSchema = z.union([z.ipv4(), z.ipv6()]);
