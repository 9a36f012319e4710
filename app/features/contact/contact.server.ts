import { callFunction } from "~/server/backend/calls/call-function.server";
import { clientCodeHeader } from "~/server/limits/client-code.server";
import type { SiteContext } from "~/server/site-context.server";
import type { ContactConsent, ContactMessage } from "#supabase/functions/_shared/contact-message";

/** `unavailable`: nothing is known to be stored, and sending the same again is safe (one submission at most). */
export type ContactOutcome = { outcome: "accepted" } | { outcome: "unavailable" };

/**
 * Stores a visitor's message for the firm (REQUIREMENTS 3.3). Accepted means that it is stored; its emails are sent
 * afterwards. A failure is logged by its cause, never with the visitor's input.
 * @param message validated form
 * @param consent what the sender has agreed to, stored beside the message
 * @param address the visitor's, where known; stored beside the message, and counted by
 */
export async function receiveContactMessage(
  site: SiteContext,
  message: ContactMessage,
  consent: Required<ContactConsent>,
  address: string | null,
): Promise<ContactOutcome> {
  const isStored = await callFunction(site, {
    name: "send-contact-email",
    failure: "contact.unavailable",
    body: { ...message, ...consent },
    headers: { ...clientCodeHeader(site, address), ...(address === null ? {} : { "x-client-address": address }) },
  });
  if (!isStored) site.metrics.countSubmission("failed");
  else site.metrics.countSubmission(message.honeypot === "" ? "accepted" : "quarantined");
  return { outcome: isStored ? "accepted" : "unavailable" };
}
