import { z } from "zod";
import { type Log, describeError } from "../../observability/log.server";
import type { SupabaseClients } from "../supabase-clients.server";

const acceptedSchema = z.object({ ok: z.literal(true) });

/**
 * Checks that a function itself reports success. The status alone does not: a parked or half-configured address, or a
 * gateway without that function, returns 200 as well.
 */
export function isAccepted(data: unknown): boolean {
  return acceptedSchema.safeParse(data).success;
}

/** Logged in place of an error where {@link isAccepted} is false. */
export const foreignAnswer = "the function's answer is not its own";

/** An edge function that takes something from a visitor, and how its failure is logged. */
export interface FunctionCall {
  name: string;
  /** names the failure in the log, e.g. "contact.unavailable" */
  failure: string;
  body: Record<string, unknown>;
  headers?: Record<string, string>;
}

/**
 * Hands something over to an edge function with an anonymous visitor's rights.
 * @returns whether the function confirmed that it stored the data; otherwise the cause is logged, never the data
 */
export async function callFunction(
  { log, supabase: clients }: { log: Log; supabase: SupabaseClients },
  { name, failure, body, headers }: FunctionCall,
): Promise<boolean> {
  try {
    const supabase = await clients.visitor();
    const { data, error } = await supabase.functions.invoke(name, { body, headers });
    if (error) throw error;
    if (isAccepted(data)) return true;
    log.error({ event: failure, error: foreignAnswer });
  } catch (error) {
    log.error({ event: failure, ...getFailureFields(error) });
  }
  return false;
}

/** What functions-js knows of a failure: the answer's status, or the error below its own. */
function getFailureFields(error: unknown): Record<string, string | number> {
  if (!(error instanceof Error)) return describeError(error);
  const { context } = error as { context?: unknown };
  if (context instanceof Response) return { error: error.name, status: context.status };
  return context instanceof Error
    ? { ...describeError(context), error: `${error.name}: ${context.name}` }
    : { error: error.name };
}
