import { z } from "zod";
import type { MessageKey } from "~/content/messages";
import { erasureMail, erasurePlaces, stepMails } from "~/content/request-mails";
import { contactFields } from "#supabase/functions/_shared/contact-fields";
import { contactFieldSchema, contactMessageSchema } from "#supabase/functions/_shared/contact-message";
import { line, paragraphs } from "#supabase/functions/_shared/form-text";
import { complaintAcknowledgement } from "#supabase/functions/_shared/mails/complaint-mail";
import { requestAcknowledgement } from "#supabase/functions/_shared/mails/data-rights-mail";
import { networkLimits } from "#supabase/functions/_shared/network-fields";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token";
import type { Settings } from "~/server/config/settings.server";
import { type AdminResult, type AdminClient, callAdmin } from "../shared/admin-call.server";
import { seenVersion } from "../shared/seen.server";
import { correctableFields, correctableMemberFields } from "./correctable-fields";
import { type TextStep, textSteps } from "./request-words";

/** The database counts the same characters (private.require_words). */
const adminsText = paragraphs("the text", 2_000);

/** Validates the forms of one request. `text` is the admin's reason, note or message. */
export const requestFormSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("startWork") }),
  z.object({ intent: z.enum(["resend", "acknowledge"]) }),
  z.object({
    intent: z.literal("erase"),
    elsewhere: z
      .array(z.enum(erasurePlaces))
      .default([])
      .transform((chosen) => erasurePlaces.filter((place) => chosen.includes(place))),
  }),
  z
    .object({
      intent: z.literal("correct"),
      submission: z.uuid(),
      field: z.enum(correctableFields),
      text: z.string().default(""),
    })
    // A correction must pass the rules of the contact form.
    .superRefine(({ field, text }, context) => {
      const rule = contactFieldSchema({ ...contactFields[field], what: "the corrected text" });
      addTextIssues(context, rule.safeParse(text).error);
    }),
  z
    .object({
      intent: z.literal("correctMembership"),
      submission: z.uuid(),
      field: z.enum(correctableMemberFields),
      text: z.string().default(""),
    })
    .transform(({ field, text, ...form }, context) => {
      const corrected = line("the corrected text", networkLimits[field]).safeParse(text);
      addTextIssues(context, corrected.error);
      return { ...form, field, text: corrected.data ?? text };
    }),
  z.object({ intent: z.enum(Object.keys(textSteps) as TextStep[]), text: adminsText }),
]);

/** Reports the mistakes in a corrected text as those of the field `text`. */
function addTextIssues(context: z.core.$RefinementCtx, error: z.ZodError | undefined): void {
  for (const { message, ...issue } of error?.issues ?? [])
    context.addIssue({ code: "custom", path: ["text"], message, params: "params" in issue ? issue.params : undefined });
}

/** Settings used in the mails to a requester. */
type MailFacts = Pick<Settings, "siteUrl" | "backupKeepDays">;

/** A form that passed {@link requestFormSchema}. */
export type RequestChange = z.output<typeof requestFormSchema>;

/**
 * Changes one request with the rights of the signed-in admin. In one transaction, the database checks permission, logs
 * the admin and the reason, and queues the mail to the requester.
 * @param settings `siteUrl`: origin of the links in that mail
 * @param seen version of the request, or of the corrected message or membership, that the form was shown with
 */
export async function changeRequest(
  client: AdminClient,
  settings: MailFacts,
  id: string,
  change: RequestChange,
  seen: string | undefined,
): Promise<AdminResult<MessageKey>> {
  const [name, parameters] = await toDatabaseCall(change, settings, seen);
  const result = await callAdmin(
    client,
    name,
    { request_id: id, ...parameters },
    z.unknown(),
    {},
    isAboutRequest(change) ? seen : undefined,
  );
  return result.ok ? { ok: true, data: confirmations[change.intent] ?? "requestChanged" } : result;
}

/** Reads a form's `seen` field, which {@link requestFormSchema} does not cover. */
export const seenSchema = z.object({ seen: seenVersion }).catch({});

/** A note changes no version, and a correction changes a message or a membership instead of the request. */
const isAboutRequest = ({ intent }: RequestChange) =>
  intent !== "note" && intent !== "correct" && intent !== "correctMembership";

const confirmations: Partial<Record<RequestChange["intent"], MessageKey>> = {
  erase: "subjectErased",
  correct: "submissionCorrected",
  correctMembership: "membershipCorrected",
};

/** Steps that a database function of their own takes. */
const functions: Partial<Record<RequestChange["intent"], string>> = {
  handOver: "hand_over_data",
  restrict: "restrict_subject",
  lift: "lift_restriction",
  keepRestriction: "keep_restriction",
};

async function toDatabaseCall(
  change: RequestChange,
  { siteUrl, backupKeepDays }: MailFacts,
  seen: string | undefined,
): Promise<[string, Record<string, unknown>]> {
  const { intent } = change;
  switch (intent) {
    case "correct": {
      const { submission, field, text: typed } = change;
      const value = contactMessageSchema.shape[field].parse(typed);
      return ["correct_record", { record_id: submission, field, value, seen_version: seen ?? null }];
    }
    case "correctMembership": {
      const { submission, field, text: value } = change;
      return ["correct_record", { record_id: submission, field, value, seen_version: seen ?? null }];
    }
    case "erase": {
      const { elsewhere } = change;
      return ["erase_subject", { mail: erasureMail({ backupKeepDays, elsewhere }), elsewhere }];
    }
    case "resend":
    case "acknowledge":
      return ["resend_request_links", { step: intent, ...(await newLinks(intent, siteUrl)) }];
    case "startWork":
      return ["take_request_step", { step: intent }];
    default: {
      const { text: note } = change;
      const mail = intent in stepMails ? { mail: stepMails[intent as keyof typeof stepMails](note) } : {};
      const name = functions[intent];
      return name ? [name, { note, ...mail }] : ["take_request_step", { step: intent, note, ...mail }];
    }
  }
}

/** Creates new links that replace the old ones. The database gets only their digests and fills in the recipient. */
async function newLinks(intent: "resend" | "acknowledge", siteUrl: string): Promise<Record<string, unknown>> {
  const tokens = { confirm: newSecretToken(), status: newSecretToken() };
  const write = intent === "resend" ? requestAcknowledgement : complaintAcknowledgement;
  const { subject, body } = write("", tokens, siteUrl);
  return {
    confirm_token_hash: await digestOfToken(tokens.confirm),
    status_token_hash: await digestOfToken(tokens.status),
    mail: { subject, body },
  };
}
