import { callBackend } from "../host/backend.ts";
import { setting } from "../host/runtime.ts";
import { composeLetter, type LetterCopy } from "../mails/letter-mail.ts";
import { networkMailsPerHour } from "../network-fields.ts";
import { queueEach } from "./queue-each.ts";

/** A member whose turn it is, as `claim_letter_recipients` returns it. */
interface Recipient extends LetterCopy {
  letter_id: string;
  member_id: string;
}

/** Queues the mails of letters to the network, as many as NETWORK_MAILS_PER_HOUR still allows (migration "letters"). */
export function queueLetters(): Promise<void> {
  return queueEach(
    "letters-not-queued",
    () => callBackend<Recipient[]>("claim_letter_recipients", { per_hour: readNetworkMailsPerHour() }),
    ({ letter_id, member_id, ...letter }) =>
      callBackend("queue_letter_mail", { letter_id, member_id, mail: composeLetter(letter) }),
  );
}

function readNetworkMailsPerHour(): number {
  const value = setting("NETWORK_MAILS_PER_HOUR")?.trim() ?? "";
  return /^[1-9]\d{0,4}$/.test(value) ? Number(value) : networkMailsPerHour;
}
