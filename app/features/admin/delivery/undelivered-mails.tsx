import { describeRefusal } from "#supabase/functions/_shared/mails/delivery-reason";
import { useInstantFormat } from "~/ui/frame/time-zone";
import type { DeliverableMail } from "./delivery.server";
import { nameMails } from "./mail-words";
import { ResendForm } from "./resend-form";

/** Mails of a message or request that were not delivered, or wait after a failure, the newest first. */
export interface UndeliveredMailsProps {
  mails: readonly Pick<DeliverableMail, "id" | "kind" | "code" | "recipient" | "gave_up_at">[];
  /** version of the message or request */
  version: number;
}

/**
 * Says why mail did not arrive, once for each address, and sends all that waits for it again. Shows nothing for an empty
 * list.
 */
export function UndeliveredMails({ mails, version }: UndeliveredMailsProps) {
  const formatInstant = useInstantFormat();
  if (mails.length === 0) return null;
  const isGivenUp = mails.some(({ gave_up_at }) => gave_up_at !== null);
  return (
    <section
      aria-labelledby="undelivered"
      className={`rounded-lg border-2 bg-(--raised) px-5 py-4 ${isGivenUp ? "border-(--danger)" : "border-(--line)"}`}
    >
      <h3 id="undelivered" className="text-xl">
        {isGivenUp ? "Not delivered" : "Waiting for the mail server"}
      </h3>
      <ul className="mt-2 grid gap-4">
        {mails.map((mail, index) => {
          const { id, kind, code, recipient, gave_up_at } = mail;
          if (mails.findIndex((other) => other.recipient === recipient) < index) return null;
          const isWaiting = gave_up_at === null;
          const names = nameMails(mails.filter((other) => other.recipient === recipient));
          const what = recipient === null ? names : `${names} to ${recipient}`;
          return (
            <li key={id}>
              <p className="wrap-anywhere">
                <strong className={isWaiting ? undefined : "text-(--danger)"}>{`${describeRefusal(code)}.`}</strong>
                {isWaiting
                  ? ` The site keeps trying to send ${what}.`
                  : ` The site gave up ${what} on ${formatInstant(gave_up_at)}.`}
              </p>
              <ResendForm id={id} version={version} isWaiting={isWaiting} isToFirm={kind === "firm"} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
