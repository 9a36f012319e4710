import type { SupabaseClient } from "@supabase/supabase-js";
import { acknowledgementsPerHour } from "../acknowledgement-limits.ts";
import { confirmationReminder, firmReminder, type FirmReminder, packageLinkMail } from "../mails/data-rights-mail.ts";
import type { DataRightsRequestType } from "../data-rights-request.ts";
import { BackendUnavailable, secretBackend } from "../host/backend.ts";
import { logEvent, setting } from "../host/runtime.ts";
import { queueEach } from "./queue-each.ts";
import { digestOfToken, newSecretToken } from "../secret-token.ts";

/**
 * Queues the mails about data rights requests that are owed by now: to the firm when one is confirmed and before it is
 * due, to the requester when it is still unconfirmed, or the link to their data when they have asked for it (migration
 * "request_reminders"). A failure is logged and left to the
 * next run: other mail must not wait for it.
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
    ...(await write(due, siteUrl)),
  });
  if (error) throw new BackendUnavailable(error.code || "unreachable");
}

async function write(due: DueReminder, siteUrl: string) {
  if (due.reminder === "unconfirmed") return askAgain(due.recipient, siteUrl);
  if (due.reminder !== "package-link")
    return { mail: firmReminder(due.reminder, due.request_type, due.request_id, siteUrl) };
  const token = newSecretToken();
  return { mail: packageLinkMail(due.recipient, token, siteUrl), package_token_hash: await digestOfToken(token) };
}

async function askAgain(recipient: string, siteUrl: string) {
  const tokens = { confirm: newSecretToken(), status: newSecretToken() };
  return {
    mail: confirmationReminder(recipient, tokens, siteUrl),
    confirm_token_hash: await digestOfToken(tokens.confirm),
    status_token_hash: await digestOfToken(tokens.status),
    acknowledgements_per_hour: acknowledgementsPerHour(),
  };
}
