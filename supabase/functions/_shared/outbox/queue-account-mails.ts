import { callDatabase, requireSiteUrl } from "../host/backend.ts";
import { accountMail, type AccountEvent } from "../mails/account-mail.ts";
import { readReplyClock } from "../reply-clock.ts";
import { queueMails } from "./queue-mails.ts";

/** Queues the mails that notify owners of account events (migration "accounts"). */
export function queueAccountMails(): Promise<void> {
  return queueMails({
    event: "account-mails-not-queued",
    list: () => callDatabase<(AccountEvent & { event_id: number })[]>("list_due_account_mails"),
    queue: async ({ event_id, ...event }) => {
      const mail = accountMail(event, requireSiteUrl(), readReplyClock().timeZone);
      await callDatabase("queue_account_mail", { event_id, mail });
    },
  });
}
