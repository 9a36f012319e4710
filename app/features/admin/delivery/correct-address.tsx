import { TallLink } from "~/ui/content/tall-link";
import { describeRefusal } from "#supabase/functions/_shared/mails/delivery-reason";
import { TextField } from "~/ui/forms/field";
import type { AskedAddress } from "~/lib/pages/questioned-address";
import { QuestionedAddress } from "~/ui/forms/questioned-address";
import { SeenField } from "../shared/seen-field";
import type { DeliverableMail } from "./delivery.server";
import { findOwner, nameMails } from "./mail-words";

/** A mail, and the form's last refusal. */
export interface CorrectAddressProps {
  mail: DeliverableMail;
  /** rejected input, else null */
  failed: { email?: string; mistake?: string | null; asked?: AskedAddress | null } | null;
}

/** Form that corrects the address of a mail and sends it there. */
export function CorrectAddress({ mail, failed }: CorrectAddressProps) {
  const owner = findOwner(mail);
  const { code, recipient, submission, request, link } = mail;
  const version = (submission ?? request ?? link)?.version ?? 0;
  const canSend = mail.is_resendable && recipient !== null && mail.kind !== "firm" && link?.purpose !== "new-password";
  return (
    <div className="max-w-[43.5em]">
      {owner ? (
        <p>
          <TallLink href={owner.path}>{owner.back}</TallLink>
        </p>
      ) : null}
      {canSend ? (
        <>
          <p className="mt-2 wrap-anywhere">
            {`${describeRefusal(code)}. That is why ${nameMails([mail])} to ${recipient} did not arrive.`}
          </p>
          <form method="post" action={`/admin/mail/${mail.id}`} noValidate className="mt-4 grid max-w-xl gap-6">
            <SeenField version={version} />
            <input type="hidden" name="intent" value="correct" />
            <TextField
              label="Email address"
              hint={hintFor(mail)}
              id="correct-email"
              name="email"
              type="email"
              required
              defaultValue={failed?.email || recipient}
              error={failed?.mistake ?? undefined}
            />
            <QuestionedAddress asked={failed?.asked ?? null} />
            <p>
              <button className="button">Send to this address</button>
            </p>
          </form>
        </>
      ) : (
        <p className="mt-2">This email can’t be sent again from here: it is on its way, or its link has to be new.</p>
      )}
    </div>
  );
}

function hintFor({ submission, request }: DeliverableMail): string {
  if (submission) return "Replaces the sender’s address on the message. Everything that did not arrive goes there.";
  return request
    ? "Check that it belongs to the same person. Later email about the request goes there, too."
    : "The old invitation ends. The new one works once, for 72 hours.";
}
