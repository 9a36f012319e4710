import { commandLine } from "../../../../app/lib/command-line.ts";
import { callDatabase, requireSiteUrl } from "../host/backend.ts";
import { functionHost, setting } from "../host/runtime.ts";
import { troubleMail, type TroubleNotice } from "../mails/trouble-mail.ts";
import { readReplyClock } from "../reply-clock.ts";
import { queueMails } from "./queue-mails.ts";

/** Queues the mails to the firm about trouble with the site (migration "trouble"). */
export function queueTroubleMails(): Promise<void> {
  return queueMails({
    event: "trouble-mails-not-queued",
    list: () => callDatabase<TroubleNotice[]>("list_due_trouble_mails"),
    queue: async (due) => {
      const mail = troubleMail(due, {
        siteUrl: requireSiteUrl(),
        timeZone: readReplyClock().timeZone,
        command: (words) => commandLine(words, setting("SITE_COMMAND") ?? ""),
        isHosted: functionHost()?.fetch === undefined,
      });
      await callDatabase("queue_trouble_mail", { cause: due.cause, notice: due.notice, mail });
    },
  });
}
