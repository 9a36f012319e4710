import { readAcknowledgementsPerHour } from "../acknowledgement-limits.ts";
import { secretBackend } from "../host/backend.ts";
import { logEvent } from "../host/runtime.ts";

/**
 * Lets as many of the mails that wait for the hourly limit go as it allows now (migration "mail"). A failure is logged
 * and retried by the next run of `deliver-outbox`, so that it does not block other mail.
 */
export async function releaseWaitingMail(): Promise<void> {
  const { error } = await secretBackend().rpc("release_waiting_mail", { per_hour: readAcknowledgementsPerHour() });
  if (error) logEvent({ event: "waiting-mail-not-released", code: error.code || "unreachable" });
}
