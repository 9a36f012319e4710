import { readAcknowledgementsPerHour } from "../acknowledgement-limits.ts";
import { confirmationReminder, firmReminder, type FirmReminder, packageLinkMail } from "../mails/data-rights-mail.ts";
import type { DataRightsRequestType } from "../data-rights-request.ts";
import { callBackend, requireSiteUrl } from "../host/backend.ts";
import { queueEach } from "./queue-each.ts";
import { digestOfToken, newSecretToken } from "../secret-token.ts";

/**
 * Queues the due mails about data rights requests: to the firm when one is confirmed and before it is due; to the
 * requester when it is still unconfirmed, or with the requested link to their data (migration "request_answers").
 */
export function queueReminders(): Promise<void> {
  return queueEach(
    "reminders-not-queued",
    () => callBackend<DueReminder[]>("list_due_reminders"),
    async (due) => {
      const composed = await composeReminder(due, requireSiteUrl());
      await callBackend("queue_reminder", { request_id: due.request_id, reminder: due.reminder, ...composed });
    },
  );
}

type DueReminder = { request_id: string; request_type: DataRightsRequestType } & (
  { reminder: "unconfirmed" | "package-link"; recipient: string } | { reminder: FirmReminder; recipient: null }
);

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
