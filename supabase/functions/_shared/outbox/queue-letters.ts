import { BackendUnavailable, secretBackend } from "../host/backend.ts";
import { logEvent, setting } from "../host/runtime.ts";
import { composeLetter, type LetterCopy } from "../mails/letter-mail.ts";
import { networkMailsPerHour } from "../network-fields.ts";
import { queueEach } from "./queue-each.ts";

/** A member whose turn it is, as `claim_letter_recipients` returns it. */
interface Recipient extends LetterCopy {
  letter_id: string;
  member_id: string;
}

/**
 * Queues the mails of letters to the network, as many as NETWORK_MAILS_PER_HOUR still allows (migration "letters"). A
 * failure is logged and retried by the next run, so that it does not block other mail.
 */
export async function queueLetters(): Promise<void> {
  try {
    const client = secretBackend();
    const { data, error } = await client.rpc("claim_letter_recipients", { per_hour: readNetworkMailsPerHour() });
    if (error) throw new BackendUnavailable(error.code || "unreachable");
    await queueEach("letters-not-queued", data as Recipient[], async ({ letter_id, member_id, ...letter }) => {
      const queued = await client.rpc("queue_letter_mail", { letter_id, member_id, mail: composeLetter(letter) });
      if (queued.error) throw new BackendUnavailable(queued.error.code || "unreachable");
    });
  } catch (error) {
    const code = error instanceof BackendUnavailable ? error.code : "unexpected";
    logEvent({ event: "letters-not-queued", code });
  }
}

function readNetworkMailsPerHour(): number {
  const value = setting("NETWORK_MAILS_PER_HOUR")?.trim() ?? "";
  return /^[1-9]\d{0,4}$/.test(value) ? Number(value) : networkMailsPerHour;
}
