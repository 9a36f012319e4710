import type { PostedField } from "~/server/forms/admin-refusal.server";
import { Question } from "../shared/question";
import type { Submission } from "./submissions.server";

/** A deletion to confirm. */
export interface DeletionQuestionProps {
  /** address of the page that asked, to which the form posts */
  action: string;
  fields: readonly PostedField[];
  /** messages that the page showed, for the names of their senders */
  shown: readonly Pick<Submission, "id" | "name">[];
}

/** Asks before messages are deleted: one, or the spam that a page showed. */
export function DeletionQuestion({ action, fields, shown }: DeletionQuestionProps) {
  const ids = fields.flatMap(({ name, value }) => (name === "id" || name === "ids" ? [value] : []));
  const named = shown.filter(({ id }) => ids.includes(id));
  const isOne = ids.length === 1;
  return (
    <Question
      title={isOne ? "Delete this message?" : `Delete ${ids.length} messages?`}
      button="Delete permanently"
      action={action}
      fields={fields}
    >
      {named.length === 0 ? null : (
        <p>
          {"From "}
          {named.map(({ id, name }, index) => (
            <span key={id}>
              {index === 0 ? null : ", "}
              <bdi>{name}</bdi>
            </span>
          ))}
        </p>
      )}
      <p>
        {`This permanently deletes ${isOne ? "the message and its" : "these messages and their"} emails from this site. Backups and mailboxes may still contain them.`}
      </p>
    </Question>
  );
}
