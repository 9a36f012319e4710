import { setTimeout as wait } from "node:timers/promises";
import { type CallResult, callFunction } from "~/server/backend/calls/call-function.server";
import { clientCodeHeader } from "~/server/limits/rate-limit.server";
import type { SiteContext } from "~/server/site-context.server";
import type { ConsentProof, ContactMessage } from "#supabase/functions/_shared/contact-message";
import type { NetworkDetails } from "#supabase/functions/_shared/network-details";

/**
 * Stores a visitor's message (REQUIREMENTS 3.3). "accepted" means that it is stored; its emails are sent afterward.
 * "line-full" means that the mail to confirm the request to join could not wait, and nothing was stored. After another
 * outcome it may be stored; retrying is safe, because equal messages are stored once.
 * Logs the cause of a failure, never the visitor's input. A request to join takes a minimum time, because the database
 * does more for a member, and only the member may learn of the membership.
 * @param message validated form
 * @param consent consent that the sender gave, stored with the message
 * @param network set if the sender also asks to join the investor network, with the hash of its box's words
 * @param address the visitor's IP address, if known; stored with the message, and used for rate limits
 */
export async function receiveContactMessage(
  site: SiteContext,
  message: ContactMessage,
  consent: ConsentProof,
  network: (NetworkDetails & ConsentProof) | undefined,
  address: string | null,
): Promise<CallResult> {
  const earliestAnswer = network === undefined ? undefined : wait(site.timeouts.accountResponse);
  const result = await callFunction(site, {
    name: "send-contact-email",
    failure: "contact.unavailable",
    body: { ...message, ...consent, network },
    headers: { ...clientCodeHeader(site, address), ...(address === null ? {} : { "x-client-address": address }) },
  });
  await earliestAnswer;
  return result;
}
