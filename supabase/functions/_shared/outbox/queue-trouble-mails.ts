import { commandLine } from "../../../../app/lib/command-line.ts";
import { callBackend, requireSiteUrl } from "../host/backend.ts";
import { functionHost, setting } from "../host/runtime.ts";
import { troubleMail, type TroubleNotice } from "../mails/trouble-mail.ts";
import { readReplyClock } from "../reply-clock.ts";
import { queueEach } from "./queue-each.ts";

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
