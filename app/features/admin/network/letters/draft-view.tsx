import { PostButton } from "~/ui/forms/post-button";
import { letterPath } from "./letter-words";
import { LetterForm } from "./letter-form";
import type { RefusedDraft } from "./letter-draft.server";
import type { Letter } from "./letters.server";
import { StoredLetter } from "./stored-letter";

/** A saved draft with its form. After a conflict, the stored version is above the typed text. */
export function DraftView({ letter, refused }: { letter: Letter; refused: RefusedDraft | null }) {
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
