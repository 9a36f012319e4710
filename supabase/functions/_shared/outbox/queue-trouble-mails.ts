import { commandLine } from "../../../../app/lib/command-line.ts";
import { BackendUnavailable, secretBackend } from "../host/backend.ts";
import { functionHost, logEvent, setting } from "../host/runtime.ts";
import { troubleMail, type TroubleNotice } from "../mails/trouble-mail.ts";
import { readReplyClock } from "../reply-clock.ts";
import { queueEach } from "./queue-each.ts";

/**
 * Queues the mails to the firm about trouble with the site (migration "trouble"). A failure is logged and retried by the
 * next run, so that it does not block other mail.
 */
export async function queueTroubleMails(): Promise<void> {
  try {
    const client = secretBackend();
    const { data, error } = await client.rpc("list_due_trouble_mails");
    if (error) throw new BackendUnavailable(error.code || "unreachable");
    const siteUrl = setting("SITE_URL");
    await queueEach("trouble-mails-not-queued", data as TroubleNotice[], async (due) => {
      if (!siteUrl) throw new BackendUnavailable("site-url-not-set");
      const mail = troubleMail(due, {
        siteUrl,
        timeZone: readReplyClock().timeZone,
        command: (words) => commandLine(words, setting("SITE_COMMAND") ?? ""),
        isHosted: functionHost()?.fetch === undefined,
      });
      const queued = await client.rpc("queue_trouble_mail", { cause: due.cause, notice: due.notice, mail });
      if (queued.error) throw new BackendUnavailable(queued.error.code || "unreachable");
    });
  } catch (error) {
    const code = error instanceof BackendUnavailable ? error.code : "unexpected";
    logEvent({ event: "trouble-mails-not-queued", code });
  }
}
