import { z } from "zod";
import { runtimeWarnings } from "../../config/setup-warnings.server";
import { type Log, describeError } from "../../observability/log.server";
import type { SetupWarnings } from "../../observability/setup-warnings.server";
import type { SupabaseClients } from "../supabase-clients.server";

const acceptedSchema = z.object({ ok: z.literal(true), hours: z.int().min(0).default(0).catch(0) });
const refusalSchema = z.object({ error: z.string() });

/**
 * Checks that the function itself reports success. The status is no proof: a parked or half-configured address, or a
 * gateway without that function, returns 200 as well.
 */
export function isAccepted(data: unknown): boolean {
  return acceptedSchema.safeParse(data).success;
}

/** Logged instead of an error if {@link isAccepted} is false. */
export const unrecognizedResponse = "the response is not the function's own";

/** Call of an edge function that stores a visitor's data, and the event that logs its failure. */
export interface FunctionCall {
  name: string;
  /** log event of a failure, e.g. "contact.unavailable" */
  failure: string;
  body: object;
  headers?: Record<string, string>;
}

/**
 * Result of a call. `hours`: the most until a promised mail goes; 0 when it need not wait. `refused`: the function will
 * never accept this body. `line-full`: too many mails wait, so nothing was stored. `unavailable`: it may accept it later.
 */
export type CallResult = { outcome: "accepted"; hours: number } | { outcome: "refused" | "line-full" | "unavailable" };

/** Parts of the site that a call needs. */
export interface CallDependencies {
  log: Log;
  supabase: SupabaseClients;
  setupWarnings: Pick<SetupWarnings, "add">;
}

/**
 * Sends data to an edge function with an anonymous visitor's rights. Unless the function confirmed that it stored the
 * data, logs the cause, never the data.
 */
export async function callFunction(
  { log, supabase: clients, setupWarnings }: CallDependencies,
  { name, failure, body, headers }: FunctionCall,
): Promise<CallResult> {
  try {
    const supabase = await clients.visitor();
    const { data, error, response } = await supabase.functions.invoke<unknown>(name, { body, headers });
    const accepted = acceptedSchema.safeParse(data);
    if (!error && accepted.success) return { outcome: "accepted", hours: accepted.data.hours };
    const refusal = refusalSchema.safeParse(error ? await response?.json().catch(() => null) : null);
    if (refusal.data?.error === "line-full") return { outcome: "line-full" };
    log.error({ event: failure, ...(error ? getFailureFields(error) : { error: unrecognizedResponse }) });
    if (refusal.data?.error === "unsigned") setupWarnings.add(runtimeWarnings.refusedKey);
    const isRefused = response?.status === 400 && refusal.data?.error === "invalid";
    return { outcome: isRefused ? "refused" : "unavailable" };
  } catch (error) {
    log.error({ event: failure, ...getFailureFields(error) });
    return { outcome: "unavailable" };
  }
}

/** Returns what functions-js knows about a failure: the response's status, or the underlying error. */
function getFailureFields(error: unknown): Record<string, string | number> {
  if (!(error instanceof Error)) return describeError(error);
  const { context } = error as { context?: unknown };
  if (context instanceof Response) return { error: error.name, status: context.status };
  return context instanceof Error
    ? { ...describeError(context), error: `${error.name}: ${context.name}` }
    : { error: error.name };
}
