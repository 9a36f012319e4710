import { z } from "zod";
import { composeNetworkMail, networkAskMail } from "../_shared/mails/network-mail.ts";
import { networkDetailsSchema, toMemberColumns } from "../_shared/network-details.ts";

/**
 * Validates a sender's wish to join the investor network, with the proof of their consent: the version of the privacy
 * policy, and the SHA-256 of the words next to the box, which names a file of app/content/consent-texts.
 */
export const networkWishSchema = networkDetailsSchema.extend({
  consentPolicyVersion: z.string().regex(/^\d{1,4}\.\d{1,4}$/),
  consentTextHash: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * Writes the membership for `receive_contact_submission`, with the one mail that its holder confirms.
 * @returns null without a wish
 */
export function composeMembership(wish: z.output<typeof networkWishSchema> | undefined) {
  if (wish === undefined) return null;
  const { consentPolicyVersion, consentTextHash, ...details } = wish;
  return {
    ...toMemberColumns(details),
    consent_policy_version: consentPolicyVersion,
    consent_text_hash: consentTextHash,
    mail: composeNetworkMail(networkAskMail),
  };
}
