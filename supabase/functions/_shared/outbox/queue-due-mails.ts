import { commandLine } from "../../../../app/lib/command-line.ts";
import { readAcknowledgementsPerHour } from "../acknowledgement-limits.ts";
import type { DataRightsRequestType } from "../data-rights-request.ts";
import { callBackend, requireSiteUrl } from "../host/backend.ts";
import { functionHost, setting } from "../host/runtime.ts";
import { type AccountEvent, accountMail } from "../mails/account-mail.ts";
import { confirmationReminder, firmReminder, type FirmReminder, packageLinkMail } from "../mails/data-rights-mail.ts";
import { composeLetter, type LetterCopy } from "../mails/letter-mail.ts";
import { composeNetworkMail, networkReminder, networkRenewal } from "../mails/network-mail.ts";
import { troubleMail, type TroubleNotice } from "../mails/trouble-mail.ts";
import { networkMailsPerHour } from "../network-fields.ts";
import { readReplyClock } from "../reply-clock.ts";
import { digestOfToken, newSecretToken } from "../secret-token.ts";
import { queueEach } from "./queue-each.ts";

/** Queues the mails that notify owners of account events (migration "accounts"). */
export function queueAccountMails(): Promise<void> {
  return queueEach(
    "account-mails-not-queued",
    () => callBackend<(AccountEvent & { event_id: number })[]>("list_due_account_mails"),
    async ({ event_id, ...event }) => {
      const mail = accountMail(event, requireSiteUrl(), readReplyClock().timeZone, setting("FIRM_NAME"));
      await callBackend("queue_account_mail", { event_id, mail });
    },
  );
}

/** Queues the mails to the firm about trouble with the site (migration "trouble"). */
export function queueTroubleMails(): Promise<void> {
  return queueEach(
    "trouble-mails-not-queued",
    () => callBackend<TroubleNotice[]>("list_due_trouble_mails"),
    async (due) => {
      const mail = troubleMail(due, {
        siteUrl: requireSiteUrl(),
        timeZone: readReplyClock().timeZone,
        command: (words) => commandLine(words, setting("SITE_COMMAND") ?? ""),
        isHosted: functionHost()?.fetch === undefined,
      });
      await callBackend("queue_trouble_mail", { cause: due.cause, notice: due.notice, mail });
    },
  );
}

/**
 * Queues the due mails to members of the investor network: one reminder to confirm, and after 24 months the question to
 * stay (migration "network_members").
 */
export function queueNetworkMails(): Promise<void> {
  type Due = { member_id: string; mail: "reminder" | "renewal" };
  return queueEach(
    "network-mails-not-queued",
    () => callBackend<Due[]>("list_due_network_mails", { per_hour: readAcknowledgementsPerHour() }),
    ({ member_id, mail }) => {
      const composed = composeNetworkMail(mail === "reminder" ? networkReminder : networkRenewal);
      return callBackend("queue_network_mail", { member_id, mail_kind: mail, mail: composed });
    },
  );
}

/** Queues the mails of letters to the network, as many as NETWORK_MAILS_PER_HOUR still allows (migration "letters"). */
export function queueLetters(): Promise<void> {
  type Recipient = LetterCopy & { letter_id: string; member_id: string };
  return queueEach(
    "letters-not-queued",
    () => callBackend<Recipient[]>("claim_letter_recipients", { per_hour: readNetworkMailsPerHour() }),
    ({ letter_id, member_id, ...letter }) =>
      callBackend("queue_letter_mail", { letter_id, member_id, mail: composeLetter(letter) }),
  );
}

function readNetworkMailsPerHour(): number {
  const value = setting("NETWORK_MAILS_PER_HOUR")?.trim() ?? "";
  return /^[1-9]\d{0,4}$/.test(value) ? Number(value) : networkMailsPerHour;
}

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

async function composeReminder({ reminder, recipient, request_type }: DueReminder, siteUrl: string) {
  if (recipient === null) return { mail: firmReminder(reminder, request_type, siteUrl) };
  if (reminder === "package-link") {
    const token = newSecretToken();
    return { mail: packageLinkMail(recipient, token, siteUrl), package_token_hash: await digestOfToken(token) };
  }
  const tokens = { confirm: newSecretToken(), status: newSecretToken() };
  return {
    mail: confirmationReminder(recipient, tokens, siteUrl),
    confirm_token_hash: await digestOfToken(tokens.confirm),
    status_token_hash: await digestOfToken(tokens.status),
    acknowledgements_per_hour: readAcknowledgementsPerHour(),
  };
}
