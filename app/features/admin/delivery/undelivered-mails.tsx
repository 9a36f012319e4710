import { describeRefusal } from "#supabase/functions/_shared/mails/delivery-reason";
import { useInstantFormat } from "~/ui/frame/time-zone";
import type { DeliverableMail } from "./delivery.server";
import { mailNames } from "./mail-words";
import { ResendForm } from "./resend-form";

/** Mails of a message or request that were not delivered, or wait after a failure. */
export interface UndeliveredMailsProps {
  mails: readonly Pick<DeliverableMail, "id" | "kind" | "code" | "recipient" | "gave_up_at">[];
  /** version of the message or request */
  version: number;
}

/** Says why each mail did not arrive, and sends it again. Shows nothing for an empty list. */
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
        {mails.map((mail) => (
          <li key={mail.id}>
            <p className="wrap-anywhere">
              <strong className={mail.gave_up_at === null ? undefined : "text-(--danger)"}>
                {`${describeRefusal(mail.code)}.`}
              </strong>
              {mail.gave_up_at === null
                ? ` The site keeps trying to send ${nameMail(mail)}.`
                : ` The site gave up ${nameMail(mail)} on ${formatInstant(mail.gave_up_at)}.`}
            </p>
            <ResendForm
              id={mail.id}
              version={version}
              isWaiting={mail.gave_up_at === null}
              isToFirm={mail.kind === "firm"}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

const nameMail = ({ kind, recipient }: UndeliveredMailsProps["mails"][number]) =>
  `${mailNames[kind] ?? "the email"}${recipient === null ? "" : ` to ${recipient}`}`;
