import { callBackend, requireSiteUrl } from "../host/backend.ts";
import { accountMail, type AccountEvent } from "../mails/account-mail.ts";
import { readReplyClock } from "../reply-clock.ts";
import { queueEach } from "./queue-each.ts";

/** Queues the mails that notify owners of account events (migration "accounts"). */
export function queueAccountMails(): Promise<void> {
  return queueEach(
    "account-mails-not-queued",
    () => callBackend<(AccountEvent & { event_id: number })[]>("list_due_account_mails"),
    async ({ event_id, ...event }) => {
      const mail = accountMail(event, requireSiteUrl(), readReplyClock().timeZone);
      await callBackend("queue_account_mail", { event_id, mail });
    },
  );
}
