import { PostButton } from "~/ui/forms/post-button";
import { nameMails } from "./mail-words";

/** Marks a request or member whose link waits for the hourly limit, in their list. */
export const linkWaits = "Link waits for the hourly limit";

/** Mails of a request or member. */
interface WaitingMailsProps {
  mails: readonly { id: string; kind: string; waits_in_line: boolean }[];
}

/** Offers to send the mails at once that wait for the hourly limit. Shows nothing if none does. */
export function WaitingMails({ mails }: WaitingMailsProps) {
  return mails
    .filter((mail) => mail.waits_in_line)
    .map(({ id, kind }) => (
      <section key={id} className="rounded-lg border-2 border-(--line) bg-(--raised) px-5 py-4">
        <h3 className="text-xl">{linkWaits}</h3>
        <p className="mt-2">{`The site sends ${nameMails([{ kind }])} by itself, in its turn.`}</p>
        <PostButton action={`/admin/mail/${id}`} intent="hurry" label="Send it now" formClassName="mt-2" />
      </section>
    ));
}
