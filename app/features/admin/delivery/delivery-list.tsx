import { TitledSection } from "~/ui/content/titled-section";
import { describeRefusal } from "#supabase/functions/_shared/mails/delivery-reason";
import { useInstantFormat } from "~/ui/frame/time-zone";
import type { Delivery } from "./delivery.server";
import { mailNames } from "./mail-names";

/** Mails of one kind of trouble. */
export interface DeliveryListProps {
  id: string;
  title: string;
  hint: string;
  /** sentence for an empty list */
  none: string;
  mails: readonly Delivery[];
}

/** Lists mails with the reason in words and a link to what each belongs to. */
export function DeliveryList({ id, title, hint, none, mails }: DeliveryListProps) {
  const formatInstant = useInstantFormat();
  return (
    <TitledSection id={id} title={title}>
      <p className="mt-2 max-w-[43.5em]">{mails.length === 0 ? none : hint}</p>
      <ul className="mt-3 grid gap-3">
        {mails.map((mail) => (
          <li key={mail.id} className="rounded-xl border border-(--line) bg-(--raised) px-5 py-3 wrap-anywhere">
            <p className="font-semibold">{`${describeRefusal(mail.code)}.`}</p>
            <p>
              <Owner mail={mail} />
              <span className="text-(--muted)">
                {`: ${mailNames[mail.kind] ?? "an email"}, ${formatInstant(mail.gave_up_at ?? mail.created_at)}`}
              </span>
            </p>
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}

function Owner({ mail: { submission, request, link, member } }: { mail: Delivery }) {
  const className = "inline-block py-2.5";
  if (submission)
    return (
      <a href={`/admin/messages/${submission.id}`} className={className}>
        {"Message from "}
        <bdi>{submission.name}</bdi>
      </a>
    );
  if (request)
    return (
      <a href={`/admin/requests/${request.id}`} className={className}>
        {`Request ${request.reference}`}
      </a>
    );
  if (link)
    return (
      <a href="/admin/people" className={className}>
        {link.purpose === "invitation" ? `Invitation to ${link.email}` : `New password for ${link.email}`}
      </a>
    );
  if (member)
    return (
      <a href={`/admin/network/${member.id}`} className={className}>
        {"Member of the investor network: "}
        <bdi>{member.name}</bdi>
      </a>
    );
  return <>Without a page</>;
}
