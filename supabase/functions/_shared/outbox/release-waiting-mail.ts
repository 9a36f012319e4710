import { readAcknowledgementsPerHour } from "../acknowledgement-limits.ts";
import { tryBackend } from "../host/backend.ts";
import { logEvent } from "../host/runtime.ts";

/**
 * Lets as many of the mails that wait for the hourly limit go as it allows now (migration "mail"). A failure is logged
 * and retried by the next run of `deliver-outbox`, so that it does not block other mail.
 */
export async function releaseWaitingMail(): Promise<void> {
  const { code } = await tryBackend("release_waiting_mail", { per_hour: readAcknowledgementsPerHour() });
  if (code !== null) logEvent({ event: "waiting-mail-not-released", code });
}
