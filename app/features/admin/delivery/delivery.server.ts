import { z } from "zod";
import { invitationMail } from "#supabase/functions/_shared/mails/account-link-mail";
import { emailAddress } from "#supabase/functions/_shared/form-text";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token";
import { company } from "~/content/company";
import { type AdminClient, type AdminResult, callAdmin, readAdmin } from "../shared/admin-call.server";
import { seenVersion } from "../shared/seen.server";

const deliverySchema = z.object({
  id: z.string(),
  kind: z.string(),
  /** why it was not delivered */
  code: z.string().nullable(),
  created_at: z.string(),
  /** null while the site still tries */
  gave_up_at: z.string().nullable(),
  submission: z.object({ id: z.string(), name: z.string(), version: z.int() }).nullable(),
  request: z.object({ id: z.string(), reference: z.string(), version: z.int() }).nullable(),
  link: z
    .object({ id: z.string(), purpose: z.enum(["invitation", "new-password"]), email: z.string(), version: z.int() })
    .nullable(),
  member: z.object({ id: z.string(), name: z.string() }).nullable(),
});

/** A mail that was not delivered, and what it belongs to: a message, a request, an account link, a member, or nothing. */
export type Delivery = z.output<typeof deliverySchema>;

/** A mail of a request or a member, for its page. */
export const listedMailSchema = z.object({
  id: z.string(),
  kind: z.string(),
  subject: z.string(),
  created_at: z.string(),
  delivered_at: z.string().nullable(),
  gave_up_at: z.string().nullable(),
  /** why it was not delivered */
  code: z.string().nullable(),
  /** true while it waits for the hourly limit */
  waits_in_line: z.boolean(),
});

const mailSchema = deliverySchema.extend({ recipient: z.string().nullable(), is_resendable: z.boolean() });

/** A mail to a person, which can be sent again unless it was delivered or is about to be sent. */
export type DeliverableMail = z.output<typeof mailSchema>;

/** Lists the mails that were not delivered, and those that wait after a failure. */
export function listUndelivered(client: AdminClient) {
  const lists = z.object({ undelivered: z.array(deliverySchema), waiting: z.array(deliverySchema) });
  return readAdmin(client, "list_undelivered", {}, lists);
}

/** Finds a mail to a person. `data` is null if there is none. */
export function findMail(client: AdminClient, id: string): Promise<AdminResult<DeliverableMail | null>> {
  return readAdmin(client, "find_mail", { mail_id: id }, mailSchema.nullable());
}

/** Validates the form: the same address again, a corrected one, or at once instead of in its turn. */
export const resendSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("hurry"), seen: seenVersion }),
  z.object({ intent: z.literal("resend"), seen: seenVersion }),
  z.object({ intent: z.literal("correct"), email: emailAddress(255), seen: seenVersion }),
]);

/**
 * Sends a mail again with the rights of the signed-in admin, to the same or a corrected address. The database logs it.
 * @param siteUrl origin of the link in an invitation, which gets a new one
 */
export async function resendMail(
  client: AdminClient,
  mail: DeliverableMail,
  { email, seen }: { email?: string | undefined; seen?: string | undefined },
  siteUrl: string,
): Promise<AdminResult<unknown>> {
  const call = (name: string, parameters: Record<string, unknown>) =>
    callAdmin(client, name, parameters, z.unknown(), failures, seen);
  if (mail.submission)
    return call("resend_message_mail", { submission_id: mail.submission.id, mail_id: mail.id, address: email ?? null });
  if (mail.request)
    return call("resend_answer", { request_id: mail.request.id, mail_id: mail.id, address: email ?? null });
  if (mail.link?.purpose !== "invitation") return { ok: false, providerText: "", ...notPossible };
  const token = newSecretToken();
  return call("invite_admin", {
    replaced_invitation: mail.link.id,
    email: email ?? mail.link.email,
    token_hash: await digestOfToken(token),
    mail: invitationMail(token, siteUrl, company.name),
  });
}

/** Sends a mail at once that waits for the hourly limit. Does nothing for one that has gone meanwhile. */
export function hurryMail(client: AdminClient, { id }: DeliverableMail): Promise<AdminResult<unknown>> {
  return callAdmin(client, "send_waiting_mail", { mail_id: id }, z.unknown(), {});
}

const notPossible = { status: 409, text: "This email can’t be sent again." };

/** Refusals of an invitation, by SQLSTATE. */
export const invitationFailures = {
  "42710": { status: 409, text: "This person is already an admin." },
  "54000": { status: 429, text: "The limit of 20 invitations in 24 hours is reached. Try again tomorrow." },
};

const failures = {
  ...invitationFailures,
  "23514": { status: 400, text: "Email can’t reach this address. Check it and try again." },
};
