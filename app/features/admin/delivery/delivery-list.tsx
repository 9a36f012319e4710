import { TitledSection } from "~/ui/content/titled-section";
import { describeRefusal } from "#supabase/functions/_shared/mails/delivery-reason";
import { useInstantFormat } from "~/ui/frame/time-zone";
import type { Delivery } from "./delivery.server";
import { findOwner, nameMails } from "./mail-words";

/** Mails of one kind of trouble. */
export interface DeliveryListProps {
  id: string;
  title: string;
  hint: string;
  /** sentence for an empty list */
  none: string;
  mails: readonly Delivery[];
}

/** Lists mails with the reason in words and a link to what each belongs to, in one entry for each address. */
export function DeliveryList({ id, title, hint, none, mails }: DeliveryListProps) {
  const formatInstant = useInstantFormat();
  const groups = new Map<string, [Delivery, ...Delivery[]]>();
  for (const mail of mails) {
    // The firm's own copies go to another address.
    const address = `${(mail.submission ?? mail.request ?? mail.link ?? mail).id} ${mail.kind === "firm"}`;
    const group = groups.get(address);
    if (group) group.push(mail);
    else groups.set(address, [mail]);
  }
  return (
    <TitledSection id={id} title={title}>
      <p className="mt-2 max-w-[43.5em]">{mails.length === 0 ? none : hint}</p>
      <ul className="mt-3 grid gap-3">
        {[...groups.values()].map(([mail, ...others]) => (
          <li key={mail.id} className="rounded-xl border border-(--line) bg-(--raised) px-5 py-3 wrap-anywhere">
            <p className="font-semibold">{`${describeRefusal(mail.code)}.`}</p>
            <p>
              <Owner mail={mail} />
            </p>
            <p className="text-(--muted)">
              {`${others.length === 0 ? "Email" : "Emails"}: ${nameMails([mail, ...others])}, ${formatInstant(mail.gave_up_at ?? mail.created_at)}`}
            </p>
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}

function Owner({ mail }: { mail: Delivery }) {
  const owner = findOwner(mail);
  if (owner === null) return <>Without a page</>;
  return (
    <a href={owner.path} className="inline-block py-2.5">
      {owner.words}
      {owner.name === undefined ? null : <bdi>{owner.name}</bdi>}
    </a>
  );
}
