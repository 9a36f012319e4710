import { randomBytes } from "node:crypto";
import { countSubmission } from "~/server/metrics.server";
import { getSettings } from "~/server/settings.server";
import type { ContactMessage } from "./contact.schema";
import { keepForLater, startDeliveries } from "./message-spool.server";
import { sendMessage } from "./send-message.server";

/** `unavailable`: nothing is known to be stored, and sending the same again is safe (one submission at most). */
export type ContactOutcome = { outcome: "accepted" } | { outcome: "unavailable" };

/**
 * Hands a visitor's message to the firm (spec section 7, "Contact submit"). Accepted means that it is stored, or safe on
 * this disk until it can be (CONTACT_SPOOL); its mails go out on their own.
 * @param message validated form
 * @param address the visitor's, where known; stored beside the message
 */
export async function receiveContactMessage(message: ContactMessage, address: string | null): Promise<ContactOutcome> {
  const isKept = await (getSettings().contactSpool ? sendOrKeep : sendOnce)(message, address);
  if (!isKept) countSubmission("failed");
  else countSubmission(message.honeypot === "" ? "accepted" : "quarantined");
  return { outcome: isKept ? "accepted" : "unavailable" };
}

async function sendOnce(message: ContactMessage, address: string | null): Promise<boolean> {
  return (await sendMessage({ message, address, key: null })) === "accepted";
}

/** With the key from the first try on: it may have been stored although no answer came. */
async function sendOrKeep(message: ContactMessage, address: string | null): Promise<boolean> {
  const delivery = { message, address, key: randomBytes(32).toString("base64url") };
  const outcome = await sendMessage(delivery);
  return outcome === "unavailable" ? keepForLater(delivery) : outcome === "accepted";
}

/**
 * Delivers what an earlier process kept, and what this one will keep; for whoever serves visitors, and not for a command
 * that only travels in the same build. Called again, or without CONTACT_SPOOL, it does nothing.
 * @throws SettingsError as getSettings
 */
export function startContactDeliveries(): void {
  if (getSettings().contactSpool) startDeliveries();
}
