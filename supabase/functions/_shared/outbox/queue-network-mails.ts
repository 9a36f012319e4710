import { readAcknowledgementsPerHour } from "../acknowledgement-limits.ts";
import { callBackend } from "../host/backend.ts";
import { composeNetworkMail, networkReminder, networkRenewal } from "../mails/network-mail.ts";
import { queueEach } from "./queue-each.ts";

/**
 * Queues the due mails to members of the investor network: one reminder to confirm, and after 24 months the question to
 * stay (migration "network_members").
 */
export function queueNetworkMails(): Promise<void> {
  return queueEach(
    "network-mails-not-queued",
    () =>
      callBackend<{ member_id: string; mail: "reminder" | "renewal" }[]>("list_due_network_mails", {
        per_hour: readAcknowledgementsPerHour(),
      }),
    ({ member_id, mail }) => {
      const composed = composeNetworkMail(mail === "reminder" ? networkReminder : networkRenewal);
      return callBackend("queue_network_mail", { member_id, mail_kind: mail, mail: composed });
    },
  );
}
