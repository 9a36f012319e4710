import { z } from "zod";
import { describeError, logProblem } from "./log.server";
import { createVisitorClient } from "./supabase.server";

const acceptedSchema = z.object({ ok: z.literal(true) });
const refusedSchema = z.object({ error: z.literal("invalid") });

/** An edge function that takes something from a visitor, and how its failure is logged. */
export interface FunctionCall {
  name: string;
  /** names the failure in the log, e.g. "contact.unavailable" */
  failure: string;
  body: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** `refused`: never will it be kept as it is. `unavailable`: nothing is known to be kept. */
export type FunctionOutcome = "accepted" | "refused" | "unavailable";

/**
 * Hands something over to an edge function with an anonymous visitor's rights.
 * @returns whether the function says that it is kept; false when nothing is known to be, which is logged by its cause
 *   and never quotes what was sent
 */
export async function callFunction(call: FunctionCall): Promise<boolean> {
  return (await askFunction(call)) === "accepted";
}

/** {@link callFunction} for callers that try again: they must know what will never be taken. */
export async function askFunction({ name, failure, body, headers }: FunctionCall): Promise<FunctionOutcome> {
  try {
    const supabase = await createVisitorClient();
    const { data, error } = await supabase.functions.invoke(name, { body, headers });
    if (error) throw error;
    // Not the status alone: a parked or half-configured address answers 200 as well, and all would be lost.
    if (acceptedSchema.safeParse(data).success) return "accepted";
    logProblem({ event: failure, error: "the function's answer is not its own" });
  } catch (error) {
    logProblem({ event: failure, ...describeFailure(error) });
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
