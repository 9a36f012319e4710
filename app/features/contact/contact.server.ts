import { z } from "zod";
import { createVisitorClient } from "~/server/supabase.server";
import { describeError, logProblem } from "~/server/log.server";
import { countSubmission } from "~/server/metrics.server";
import type { ContactMessage } from "./contact.schema";

const acceptedSchema = z.object({ ok: z.literal(true) });

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
    const { data, error } = await supabase.functions.invoke("send-contact-email", {
      body: message,
      headers: address === null ? {} : { "x-client-address": address },
    });
    if (error) throw error;
    // Not the status alone: a parked or half-configured address answers 200 as well, and the message would be lost.
    if (acceptedSchema.safeParse(data).success) {
      countSubmission(message.honeypot === "" ? "accepted" : "quarantined");
      return { outcome: "accepted" };
    }
    logProblem({ event: "contact.unavailable", error: "the function's answer is not its own" });
  } catch (error) {
    logProblem({ event: "contact.unavailable", ...describeFailure(error) });
  }
  countSubmission("failed");
  return { outcome: "unavailable" };
}

/** What functions-js knows of a failure: the answer's status, or the error below its own. */
function describeFailure(error: unknown): Record<string, string | number> {
  if (!(error instanceof Error)) return describeError(error);
  const { context } = error as { context?: unknown };
  if (context instanceof Response) return { error: error.name, status: context.status };
  return context instanceof Error
    ? { ...describeError(context), error: `${error.name}: ${context.name}` }
    : { error: error.name };
}
