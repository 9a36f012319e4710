import { z } from "zod";
import type { MessageKey } from "~/content/messages";
import { adminRequestsPage } from "~/content/account/admin-requests";
import { completionMail, erasureMail, extensionMail, liftMail, refusalMail } from "~/content/request-mails";
import { requestAcknowledgement } from "#supabase/functions/_shared/data-rights-mail";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token";
import { type AdminAnswer, type AdminClient, callAdmin } from "../shared/admin-call.server";

const words = z
  .string(adminRequestsPage.needsWords)
  .trim()
  .min(1, adminRequestsPage.needsWords)
  .max(2_000, adminRequestsPage.needsWords);

/** What the forms of one request may send; `words` are the admin's reason, note or message. */
export const requestFormSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("takeUp") }),
  z.object({ intent: z.literal("resend") }),
  z.object({ intent: z.literal("erase") }),
  z.object({ intent: z.enum(["note", "extend", "complete", "refuse", "restrict", "lift"]), words }),
]);

/** A form that passed {@link requestFormSchema}. */
export type RequestChange = z.output<typeof requestFormSchema>;

/**
 * Changes one request with the rights of the signed-in admin. The database checks that it may be done, logs who did it
 * and why, and queues the mail to the requester in the same transaction.
 * @param siteUrl origin of the links in that mail
 */
export async function changeRequest(
  client: AdminClient,
  siteUrl: string,
  id: string,
  change: RequestChange,
): Promise<AdminAnswer<MessageKey>> {
  const [name, parameters] = await describeChange(change, siteUrl);
  const answer = await callAdmin(client, name, { request_id: id, ...parameters }, z.unknown());
  return answer.ok ? { ok: true, data: change.intent === "erase" ? "subjectErased" : "requestChanged" } : answer;
}

async function describeChange(change: RequestChange, siteUrl: string): Promise<[string, Record<string, unknown>]> {
  switch (change.intent) {
    case "takeUp":
      return ["take_up_request", {}];
    case "note":
      return ["record_request_note", { note: change.words }];
    case "extend":
      return ["extend_request", { reason: change.words, mail: extensionMail(change.words) }];
    case "complete":
      return ["complete_request", { note: change.words, mail: completionMail(change.words) }];
    case "refuse":
      return ["refuse_request", { reason: change.words, mail: refusalMail(change.words) }];
    case "restrict":
      return ["restrict_subject", { reason: change.words }];
    case "lift":
      return ["lift_restriction", { reason: change.words, mail: liftMail(change.words) }];
    case "erase":
      return ["erase_subject", { mail: erasureMail() }];
    case "resend":
      return ["resend_confirmation", await newConfirmation(siteUrl)];
  }
}

/** New links in the place of the old ones; the database gets only their digests, and fills in the recipient. */
async function newConfirmation(siteUrl: string): Promise<Record<string, unknown>> {
  const tokens = { confirm: newSecretToken(), status: newSecretToken() };
  const { subject, body } = requestAcknowledgement("", tokens, siteUrl);
  return {
    confirm_token_hash: await digestOfToken(tokens.confirm),
    status_token_hash: await digestOfToken(tokens.status),
    mail: { subject, body },
  };
}
