import type { PostedField, Refusal } from "~/server/forms/admin-refusal.server";
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

const listIds = (fields: readonly PostedField[]) =>
  fields.flatMap(({ name, value }) => (name === "id" || name === "ids" ? [value] : []));

/** Composes the page's title. */
export function askToDelete(fields: PostedField[]): Pick<Refusal, "title" | "question"> {
  const { length } = listIds(fields);
  return { title: length === 1 ? "Delete this message?" : `Delete ${length} messages?`, question: fields };
}

/** Asks before messages are deleted: one, or the spam that a page showed. */
export function DeletionQuestion({ action, fields, shown }: DeletionQuestionProps) {
  const ids = listIds(fields);
  const named = shown.filter(({ id }) => ids.includes(id));
  const isOne = ids.length === 1;
  return (
    <Question button="Delete permanently" action={action}>
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
