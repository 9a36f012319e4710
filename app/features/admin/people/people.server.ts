import { z } from "zod";
import { company } from "~/content/company";
import type { MessageKey } from "~/content/messages";
import { invitationMail } from "#supabase/functions/_shared/mails/account-link-mail";
import { emailAddress } from "#supabase/functions/_shared/form-text";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token";
import { invitationFailures } from "../delivery/delivery.server";
import { type AdminResult, type AdminClient, callAdmin, readAdmin } from "../shared/admin-call.server";
import { seenVersion } from "../shared/seen.server";

const instant = z.iso.datetime({ offset: true });

const eventsSchema = z.array(
  z.object({
    id: z.int(),
    at: instant,
    action: z.string(),
    person: z.string().nullable(),
    by: z.string().nullable(),
    /** members whom a letter went to */
    people_count: z.int().nullish(),
  }),
);

const peopleSchema = z.object({
  /** increases with each change to any person */
  version: z.int(),
  admins: z.array(
    z.object({
      id: z.uuid(),
      email: z.string(),
      since: instant,
      is_self: z.boolean(),
      last_sign_in: instant.nullable(),
      sessions: z.int(),
      /** open invitations that they sent; removing the admin ends them */
      invitations: z.int(),
      /** why the mail with a link to a new password was not delivered, a code of the outbox */
      refusal: z.string().nullable(),
      events: eventsSchema,
    }),
  ),
  invitations: z.array(
    z.object({
      id: z.uuid(),
      email: z.string(),
      made_at: instant,
      expires_at: instant,
      /** id of its mail if that was not delivered, and why, a code of the outbox */
      undelivered: z.object({ id: z.string(), code: z.string().nullable() }).nullable(),
      events: eventsSchema,
    }),
  ),
  others: z.array(z.object({ email: z.string(), events: eventsSchema })),
});

/** Current, invited and former admins, each with their newest log entries. Instants are ISO 8601. */
export type People = z.output<typeof peopleSchema>;

/** Log of one person. `by` is null if the operator acted. */
export type PersonEvents = z.output<typeof eventsSchema>;

/** Reads all people with the rights of the signed-in admin. */
export function loadPeople(client: AdminClient): Promise<AdminResult<People>> {
  return readAdmin(client, "read_people", {}, peopleSchema);
}

/** Validates the forms of the page. */
export const peopleFormSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("invite"), email: emailAddress(255), seen: seenVersion }),
  z.object({ intent: z.literal("withdraw"), id: z.uuid(), seen: seenVersion }),
  z.object({ intent: z.literal("remove"), id: z.uuid(), seen: seenVersion }),
]);

/** A form that passed {@link peopleFormSchema}. */
export type PeopleChange = z.output<typeof peopleFormSchema>;

/**
 * Sends or withdraws an invitation, or removes an admin, with the rights of the signed-in admin. The database checks
 * permission and logs the action in the same transaction.
 * @param siteUrl origin of the link in the mail
 * @returns key of the success message
 */
export async function changePeople(
  client: AdminClient,
  siteUrl: string,
  change: PeopleChange,
): Promise<AdminResult<MessageKey>> {
  if (change.intent === "invite") return invite(client, siteUrl, change);
  const isRemoval = change.intent === "remove";
  const [name, parameters] = isRemoval
    ? ["remove_admin", { user_id: change.id }]
    : ["withdraw_invitation", { invitation_id: change.id }];
  const result = await callAdmin(client, name, parameters, z.unknown(), {}, change.seen);
  return result.ok ? { ok: true, data: isRemoval ? "adminRemoved" : "invitationWithdrawn" } : result;
}

/** Gives the database only the digest of the link's token, and the mail that contains the link. */
async function invite(
  client: AdminClient,
  siteUrl: string,
  { email, seen }: { email: string; seen?: string | undefined },
): Promise<AdminResult<MessageKey>> {
  const token = newSecretToken();
  const mail = invitationMail(token, siteUrl, company.name);
  const invitation = { email, token_hash: await digestOfToken(token), mail };
  const result = await callAdmin(client, "invite_admin", invitation, z.unknown(), invitationFailures, seen);
  return result.ok ? { ok: true, data: "adminInvited" } : result;
}
