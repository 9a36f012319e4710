import { accountMail, type AccountEvent } from "../mails/account-mail.ts";
import { BackendUnavailable, secretBackend } from "../host/backend.ts";
import { logEvent, setting } from "../host/runtime.ts";
import { readReplyClock } from "../reply-clock.ts";
import { queueEach } from "./queue-each.ts";

/**
 * Queues the mails that notify owners of account events (migration "accounts"). A failure is logged and retried by the
 * next run, so that it does not block other mail.
 */
export async function queueAccountMails(): Promise<void> {
  try {
    const client = secretBackend();
    const { data, error } = await client.rpc("list_due_account_mails");
    if (error) throw new BackendUnavailable(error.code || "unreachable");
    const siteUrl = setting("SITE_URL");
    const due = data as (AccountEvent & { event_id: number })[];
    await queueEach("account-mails-not-queued", due, async ({ event_id, ...event }) => {
      if (!siteUrl) throw new BackendUnavailable("site-url-not-set");
      const queued = await client.rpc("queue_account_mail", {
        event_id,
        mail: accountMail(event, siteUrl, readReplyClock().timeZone),
      });
      if (queued.error) throw new BackendUnavailable(queued.error.code || "unreachable");
    });
  } catch (error) {
    const code = error instanceof BackendUnavailable ? error.code : "unexpected";
    logEvent({ event: "account-mails-not-queued", code });
  }
}
