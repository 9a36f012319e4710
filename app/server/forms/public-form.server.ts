import type { AppLoadContext } from "@remix-run/node";
import type { z } from "zod";
import type { Message } from "~/content/messages";
import { renameTrapField } from "~/lib/trap-field";
import type { CallResult } from "../backend/calls/call-function.server";
import type { LinkRequestOutcome } from "../limits/attempt-limit.server";
import { askAboutAddress } from "./address-question.server";
import { type GuardedPost, createFormRefusal, formatWait } from "./guard.server";
import { parseForm } from "./parse-form.server";

/** A form that any visitor may send, and the words of its refusals. */
interface PublicForm<Schema extends z.ZodType, Shown extends object> {
  schema: Schema;
  /** says that the client sent too many, as a mistake of the whole form or as a notice; `wait` follows "try again in" */
  tooMany(wait: string): { formErrors: string[] } | Message;
  /** too many mails wait, so nothing was stored */
  lineFull?: Message;
  /** the backend is unavailable */
  failed: Message;
  /** what the page shows besides */
  shown: Shown;
  headers?: Record<string, string>;
  /** makes the domain call, given the client's address */
  serve(value: z.output<Schema>, address: string | null): Promise<CallResult | LinkRequestOutcome>;
}

/**
 * Validates a guarded post, asks once about an address that looks mistyped, and serves the form.
 * @returns the page with the filled form (400, 429 or 503); or the valid form, and the most hours until its mail goes
 */
export async function receivePublicForm<Schema extends z.ZodType, Shown extends object>(
  context: AppLoadContext,
  { form, rate, address, refund }: GuardedPost,
  { schema, tooMany, failed, lineFull = failed, shown, headers: headersToSend, serve }: PublicForm<Schema, Shown>,
) {
  renameTrapField(form);
  const submission = parseForm(form, schema);
  const { text: question, fieldErrors, asked } = askAboutAddress(form);
  const refuseForm = createFormRefusal(context, submission, { ...shown, asked }, headersToSend);
  const refuse = (...refusal: Parameters<typeof refuseForm>) => ({ refusal: refuseForm(...refusal) });
  const throttle = (seconds: number) => {
    const words = tooMany(formatWait(seconds));
    const retryAfter = { "Retry-After": String(seconds) };
    return "tone" in words ? refuse(429, {}, words, retryAfter) : refuse(429, words, null, retryAfter);
  };
  if (!rate.allowed) return throttle(rate.retryAfterSeconds);
  if (submission.status !== "success" || question !== null) return refuse(400, { fieldErrors });
  const result = await serve(submission.value, address);
  if (result.outcome === "accepted") return { value: submission.value, hours: result.hours };
  if (result.outcome === "throttled") return throttle(result.retryAfterSeconds);
  if (result.outcome === "line-full") return refuse(503, {}, lineFull);
  await refund();
  return refuse(503, {}, failed);
}
