import type { z } from "zod";
import { consentProofSchema } from "../_shared/contact-message.ts";
import { composeNetworkMail, networkAskMail } from "../_shared/mails/network-mail.ts";
import { networkDetailsSchema, toMemberColumns } from "../_shared/network-details.ts";

/** Validates a sender's wish to join the investor network, with the proof of their consent. */
export const networkWishSchema = networkDetailsSchema.extend(consentProofSchema.shape);

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
