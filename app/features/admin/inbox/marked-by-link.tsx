import { TitledSection } from "~/ui/content/titled-section";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { StateForm } from "./submission-actions";
import type { Submission } from "./submissions.server";

/** Messages that an email link marked as answered. */
export interface MarkedByLinkProps {
  messages: readonly Submission[];
  /** where the forms post */
  action: string;
  /** true to link each message to its own page */
  hasLinks: boolean;
}

/** Shows changes made without a sign-in until an admin confirms or undoes them. */
export function MarkedByLink({ messages, action, hasLinks }: MarkedByLinkProps) {
  const formatInstant = useInstantFormat();
  if (messages.length === 0) return null;
  return (
    <TitledSection
      id="marked-by-link"
      title="Marked as answered by the link in an email"
      className="rounded-lg border-2 border-(--line) bg-(--raised) px-5 py-4"
    >
      <p className="mt-1 max-w-[43.5em]">
        No one was signed in, and email scanners sometimes open these links. If no one has answered, move the message
        back to New.
      </p>
      <ul className="mt-3 grid gap-3">
        {messages.map((message) => (
          <li key={message.id} className="flex flex-wrap items-center gap-x-6 gap-y-2">
            <span className="wrap-anywhere">
              {hasLinks ? (
                <a href={`/admin/messages/${message.id}`} className="inline-block py-2.5">
                  <bdi>{message.name}</bdi>
                </a>
              ) : (
                <bdi>{message.name}</bdi>
              )}
              {message.marked_by_link_at ? `, marked on ${formatInstant(message.marked_by_link_at)}` : null}
            </span>
            <StateForm
              states={["done", "new"]}
              labels={{ done: "It was answered", new: "Not answered: move to New" }}
              submission={message}
              action={action}
            />
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}
