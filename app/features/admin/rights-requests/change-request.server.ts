import { z } from "zod";
import type { MessageKey } from "~/content/messages";
import { erasureMail, erasurePlaces, stepMails } from "~/content/request-mails";
import { contactFields } from "#supabase/functions/_shared/contact-fields";
import { contactFieldSchema } from "#supabase/functions/_shared/contact-message";
import { line, paragraphs } from "#supabase/functions/_shared/form-text";
import { complaintAcknowledgement } from "#supabase/functions/_shared/mails/complaint-mail";
import { requestAcknowledgement } from "#supabase/functions/_shared/mails/data-rights-mail";
import { networkLimits } from "#supabase/functions/_shared/network-fields";
import type { Settings } from "~/server/config/settings.server";
import { type AdminResult, type AdminClient, callAdmin } from "../shared/admin-call.server";
import { seenVersion } from "../shared/seen.server";
import { correctableFields, correctableMemberFields } from "./correctable-fields";
import { createLinks } from "./new-links.server";
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
  // A correction must pass the rules of the contact form.
  correction("correct", correctableFields, (field) =>
    contactFieldSchema({ ...contactFields[field], what: "the corrected text" }),
  ),
  correction("correctMembership", correctableMemberFields, (field) => line("the corrected text", networkLimits[field])),
  z.object({ intent: z.enum(Object.keys(textSteps) as TextStep[]), text: adminsText }),
]);

/** Validates a corrected text by the rule of its field. Mistakes are those of the field `text`. */
function correction<Intent extends string, Field extends string>(
  intent: Intent,
  fields: readonly Field[],
  findRule: (field: Field) => z.ZodType<string>,
) {
  return z
    .object({ intent: z.literal(intent), submission: z.uuid(), field: z.enum(fields), text: z.string().default("") })
    .transform((form, context) => {
      const { data: text, error } = findRule(form.field).safeParse(form.text);
      for (const { message, ...issue } of error?.issues ?? []) {
        const params = "params" in issue ? issue.params : undefined;
        context.addIssue({ code: "custom", path: ["text"], message, params });
      }
      return { ...form, text: text ?? form.text };
    });
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

async function toDatabaseCall(
  change: RequestChange,
  { siteUrl, backupKeepDays }: MailFacts,
  seen: string | undefined,
): Promise<[string, Record<string, unknown>]> {
  const { intent } = change;
  switch (intent) {
    case "correct":
    case "correctMembership": {
      const { submission, field, text: value } = change;
      return ["correct_record", { record_id: submission, field, value, seen_version: seen ?? null }];
    }
    case "erase": {
      const { elsewhere } = change;
      return ["erase_subject", { mail: erasureMail({ backupKeepDays, elsewhere }), elsewhere }];
    }
    case "resend":
    case "acknowledge": {
      const write = intent === "resend" ? requestAcknowledgement : complaintAcknowledgement;
      return ["resend_request_links", { step: intent, ...(await createLinks(write, "", siteUrl)) }];
    }
    case "startWork":
      return ["take_request_step", { step: intent }];
    default: {
      const { text: note } = change;
      const mail = intent in stepMails ? { mail: stepMails[intent as keyof typeof stepMails](note) } : {};
      return ["take_request_step", { step: intent, note, ...mail }];
    }
  }
}
