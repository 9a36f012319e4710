import type { Refusal } from "~/server/forms/admin-refusal.server";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextAreaField, TextField } from "~/ui/forms/field";
import { AdminFrame } from "../../shared/admin-frame";
import { PostButton } from "~/ui/forms/post-button";
import { Question } from "../../shared/question";
import type { RefusedDraft } from "./letter-draft.server";
import { LetterForm, emptyLetter, listLetterMistakes } from "./letter-form";
import { LetterProgress } from "./letter-progress";
import { countMembers, letterPath, lettersPath } from "./letter-words";
import type { Letter } from "./letters.server";
import { StoredLetter } from "./stored-letter";

/** A draft that was not saved, and its id. */
export interface RefusedLetter {
  id: string;
  draft: RefusedDraft;
}

/** Props of {@link LetterPage}. */
export interface LetterPageProps {
  /** `letter` is null, and has the id `newId`, before it is saved */
  found: { title: string; letter: Letter | null; newId: string };
  /** a refused post, or a question to answer */
  refused: (Partial<RefusedLetter> & Refusal) | null;
}

/** The page of one letter: the form of a draft, or the progress of one that was sent. */
export function LetterPage({ found: { title, letter, newId }, refused }: LetterPageProps) {
  const draft = refused?.draft ?? null;
  // A new letter may have been saved by an earlier post of the same form.
  const stored = draft?.stored ?? letter;
  return (
    <AdminFrame
      subtitle={title}
      area="network"
      back={{ nav: "Letters", label: "Letters", path: lettersPath }}
      question={refused?.question && letter && <LetterQuestion letter={letter} />}
    >
      <ErrorSummary mistakes={listLetterMistakes(draft ?? emptyLetter)} />
      {stored === null ? (
        <LetterForm id={refused?.id ?? newId} isNew input={draft ?? emptyLetter} />
      ) : stored.state === "draft" ? (
        <DraftView letter={stored} refused={draft} />
      ) : (
        <>
          {draft === null ? null : <UnsavedText draft={draft} />}
          <LetterProgress letter={stored} />
        </>
      )}
    </AdminFrame>
  );
}

/** A saved draft with its form. After a conflict, the stored version is above the typed text. */
function DraftView({ letter, refused }: { letter: Letter; refused: RefusedDraft | null }) {
  const { id, version } = letter;
  const seen = refused?.stored ? String(version) : refused?.seen;
  return (
    <>
      {refused?.stored ? <StoredLetter letter={letter} /> : null}
      <LetterForm id={id} isNew={false} input={refused ? { ...refused, seen } : toInput(letter)} />
      <PostButton
        action={letterPath(id)}
        intent="delete"
        label="Delete this draft"
        className="button delete"
        formClassName="border-t border-(--line) pt-3"
      />
    </>
  );
}

function toInput({ subject, body, to_states, to_kind, to_field, version }: Letter) {
  return {
    subject,
    body,
    toStates: to_states,
    toKind: to_kind ?? "",
    toField: to_field ?? "",
    seen: String(version),
    mistakes: {},
  };
}

function LetterQuestion({ letter }: { letter: Letter }) {
  const { id, subject, state, to_count, delivered } = letter;
  const address = letterPath(id);
  const subjectLine = (
    <p className="font-semibold" dir="auto">
      {subject || "No subject yet"}
    </p>
  );
  return state === "draft" ? (
    <Question button="Delete" action={address}>
      {subjectLine}
      <p>It was never sent. Only this site has its text, so it is lost.</p>
    </Question>
  ) : (
    <Question button="Stop" action={address}>
      {subjectLine}
      <p>{`${delivered} of ${countMembers(to_count ?? 0)} have their email. The others get none, and you can’t continue later.`}</p>
    </Question>
  );
}

/** Words typed into a letter that was sent meanwhile, to copy. */
function UnsavedText({ draft }: { draft: RefusedDraft }) {
  return (
    <div className="grid max-w-2xl gap-5">
      <TextField id="unsaved-subject" label="Your subject (not saved)" readOnly defaultValue={draft.subject} />
      <TextAreaField id="unsaved-body" label="Your text (not saved)" rows={10} readOnly defaultValue={draft.body} />
    </div>
  );
}
