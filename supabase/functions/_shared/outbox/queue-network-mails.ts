import { readAcknowledgementsPerHour } from "../acknowledgement-limits.ts";
import { callDatabase } from "../host/backend.ts";
import { composeNetworkMail, networkReminder, networkRenewal } from "../mails/network-mail.ts";
import { queueMails } from "./queue-mails.ts";

/**
 * Queues the due mails to members of the investor network: one reminder to confirm, and after 24 months the question to
 * stay (migration "network_members").
 */
export function queueNetworkMails(): Promise<void> {
  return queueMails({
    event: "network-mails-not-queued",
    list: () =>
      callDatabase<{ member_id: string; mail: "reminder" | "renewal" }[]>("list_due_network_mails", {
        per_hour: readAcknowledgementsPerHour(),
      }),
    queue: ({ member_id, mail }) => {
      const composed = composeNetworkMail(mail === "reminder" ? networkReminder : networkRenewal);
      return callDatabase("queue_network_mail", { member_id, mail_kind: mail, mail: composed });
    },
  });
}
