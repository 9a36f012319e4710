import type { SupabaseClient } from "@supabase/supabase-js";
import { readAcknowledgementsPerHour } from "../acknowledgement-limits.ts";
import { confirmationReminder, firmReminder, type FirmReminder, packageLinkMail } from "../mails/data-rights-mail.ts";
import type { DataRightsRequestType } from "../data-rights-request.ts";
import { BackendUnavailable, secretBackend } from "../host/backend.ts";
import { logEvent, setting } from "../host/runtime.ts";
import { queueEach } from "./queue-each.ts";
import { digestOfToken, newSecretToken } from "../secret-token.ts";

/**
 * Queues the due mails about data rights requests: to the firm when one is confirmed and before it is due; to the
 * requester when it is still unconfirmed, or with the requested link to their data (migration "request_answers"). A
 * failure is logged and retried by the next run, so that it does not block other mail.
 */
export async function queueReminders(): Promise<void> {
  try {
    const client = secretBackend();
    const { data, error } = await client.rpc("list_due_reminders");
    if (error) throw new BackendUnavailable(error.code || "unreachable");
    await queueEach("reminders-not-queued", data as DueReminder[], (due) => queueReminder(client, due));
  } catch (error) {
    const code = error instanceof BackendUnavailable ? error.code : "unexpected";
    logEvent({ event: "reminders-not-queued", code });
  }
}

type DueReminder = { request_id: string; request_type: DataRightsRequestType } & (
  { reminder: "unconfirmed" | "package-link"; recipient: string } | { reminder: FirmReminder; recipient: null }
);

async function queueReminder(client: SupabaseClient, due: DueReminder): Promise<void> {
  const siteUrl = setting("SITE_URL");
  if (!siteUrl) throw new BackendUnavailable("site-url-not-set");
  const { error } = await client.rpc("queue_reminder", {
    request_id: due.request_id,
    reminder: due.reminder,
    ...(await composeReminder(due, siteUrl)),
  });
  if (error) throw new BackendUnavailable(error.code || "unreachable");
}

async function composeReminder(due: DueReminder, siteUrl: string) {
  if (due.reminder === "unconfirmed") return composeConfirmationReminder(due.recipient, siteUrl);
  if (due.reminder !== "package-link") return { mail: firmReminder(due.reminder, due.request_type, siteUrl) };
  const token = newSecretToken();
  return { mail: packageLinkMail(due.recipient, token, siteUrl), package_token_hash: await digestOfToken(token) };
}

async function composeConfirmationReminder(recipient: string, siteUrl: string) {
  const tokens = { confirm: newSecretToken(), status: newSecretToken() };
  return {
    mail: confirmationReminder(recipient, tokens, siteUrl),
    confirm_token_hash: await digestOfToken(tokens.confirm),
    status_token_hash: await digestOfToken(tokens.status),
    acknowledgements_per_hour: readAcknowledgementsPerHour(),
  };
}
