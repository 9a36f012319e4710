import { createVisitorClient } from "~/server/supabase.server";
import { describeError, logProblem } from "~/server/log.server";
import type { ContactMessage } from "./contact.schema";

/** `unavailable`: nothing is known to be stored, and sending the same again is safe (one submission at most). */
export type ContactOutcome = { outcome: "accepted" } | { outcome: "unavailable" };

/**
 * Hands a visitor's message to the firm (spec section 7, "Contact submit"). Accepted means that it is stored; its mails
 * go out on their own.
 * @param message validated form
 * @param address the visitor's, where known; stored beside the message
 */
export async function receiveContactMessage(message: ContactMessage, address: string | null): Promise<ContactOutcome> {
  try {
    const supabase = await createVisitorClient();
    const { error } = await supabase.functions.invoke("send-contact-email", {
      body: message,
      headers: address === null ? {} : { "x-client-address": address },
    });
    if (!error) return { outcome: "accepted" };
    logProblem({ event: "contact.unavailable", ...describeFailure(error) });
  } catch (error) {
    logProblem({ event: "contact.unavailable", ...describeError(error) });
  }
  return { outcome: "unavailable" };
}

/** What functions-js knows of a failure: the answer's status, or the error below its own. */
function describeFailure(error: Error & { context?: unknown }): Record<string, string | number> {
  const { context } = error;
  if (context instanceof Response) return { error: error.name, status: context.status };
  return context instanceof Error
    ? { ...describeError(context), error: `${error.name}: ${context.name}` }
    : { error: error.name };
}
