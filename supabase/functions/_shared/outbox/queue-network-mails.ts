import { readAcknowledgementsPerHour } from "../acknowledgement-limits.ts";
import { BackendUnavailable, secretBackend } from "../host/backend.ts";
import { logEvent } from "../host/runtime.ts";
import { composeNetworkMail, networkReminder, networkRenewal } from "../mails/network-mail.ts";
import { queueEach } from "./queue-each.ts";

/**
 * Queues the due mails to members of the investor network: one reminder to confirm, and after 24 months the question to
 * stay (migration "network_members"). A failure is logged and retried by the next run, so that it does not block other
 * mail.
 */
export async function queueNetworkMails(): Promise<void> {
  try {
    const client = secretBackend();
    const { data, error } = await client.rpc("list_due_network_mails", {
      per_hour: readAcknowledgementsPerHour(),
    });
    if (error) throw new BackendUnavailable(error.code || "unreachable");
    const due = data as { member_id: string; mail: "reminder" | "renewal" }[];
    await queueEach("network-mails-not-queued", due, async ({ member_id, mail }) => {
      const composed = composeNetworkMail(mail === "reminder" ? networkReminder : networkRenewal);
      const queued = await client.rpc("queue_network_mail", { member_id, mail_kind: mail, mail: composed });
      if (queued.error) throw new BackendUnavailable(queued.error.code || "unreachable");
    });
  } catch (error) {
    const code = error instanceof BackendUnavailable ? error.code : "unexpected";
    logEvent({ event: "network-mails-not-queued", code });
  }
}
