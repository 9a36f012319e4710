import { z } from "zod";
import { describeError, logProblem } from "~/server/log.server";
import { createVisitorClient } from "~/server/supabase.server";

const acceptedSchema = z.object({ ok: z.literal(true) });
const refusedSchema = z.object({ error: z.literal("invalid") });

/** `refused`: never will it be stored as it is. `unavailable`: nothing is known to be stored. */
export type SendOutcome = "accepted" | "refused" | "unavailable";

/** A message on its way to the firm. */
export interface Delivery {
  message: Record<string, unknown>;
  /** the visitor's address, where known; stored beside the message */
  address: string | null;
  /** lets it be sent any number of times and stored once; without it the same words are stored once a day */
  key: string | null;
}

/** Sends a message to the edge function, once. A failure is logged by its cause, never with what was sent. */
export async function sendMessage({ message, address, key }: Delivery): Promise<SendOutcome> {
  try {
    const supabase = await createVisitorClient();
    const { data, error } = await supabase.functions.invoke("send-contact-email", {
      body: message,
      headers: {
        ...(address === null ? {} : { "x-client-address": address }),
        ...(key === null ? {} : { "x-delivery-key": key }),
      },
    });
    if (error) throw error;
    // Not the status alone: a parked or half-configured address answers 200 as well, and the message would be lost.
    if (acceptedSchema.safeParse(data).success) return "accepted";
    logProblem({ event: "contact.unavailable", error: "the function's answer is not its own" });
  } catch (error) {
    logProblem({ event: "contact.unavailable", ...describeFailure(error) });
    if (await isRefusal(error)) return "refused";
  }
  return "unavailable";
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

/** The function's own "no", and not that of something between. */
async function isRefusal(error: unknown): Promise<boolean> {
  const { context } = error as { context?: unknown };
  if (!(context instanceof Response) || context.status !== 400) return false;
  try {
    return refusedSchema.safeParse(await context.json()).success;
  } catch {
    return false;
  }
}
