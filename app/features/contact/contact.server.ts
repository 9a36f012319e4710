import { callFunction } from "~/server/backend/call-function.server";
import { clientCodeHeader } from "~/server/limits/client-code.server";
import { countSubmission } from "~/server/observability/product-metrics.server";
import type { ContactMessage } from "./contact.schema";

/** `unavailable`: nothing is known to be stored, and sending the same again is safe (one submission at most). */
export type ContactOutcome = { outcome: "accepted" } | { outcome: "unavailable" };

/**
 * Hands a visitor's message to the firm (spec section 7, "Contact submit"). Accepted means that it is stored; its mails go
 * out on their own. A failure is logged by its cause, never with what was sent.
 * @param message validated form
 * @param address the visitor's, where known; stored beside the message, and counted by
 */
export async function receiveContactMessage(message: ContactMessage, address: string | null): Promise<ContactOutcome> {
  const isStored = await callFunction({
    name: "send-contact-email",
    failure: "contact.unavailable",
    body: message,
    headers: { ...clientCodeHeader(address), ...(address === null ? {} : { "x-client-address": address }) },
  });
  if (!isStored) countSubmission("failed");
  else countSubmission(message.honeypot === "" ? "accepted" : "quarantined");
  return { outcome: isStored ? "accepted" : "unavailable" };
}
