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
      <form method="post" action={letterPath(id)} className="border-t border-(--line) pt-3">
        <button name="intent" value="delete" className="button delete">
          Delete this draft
        </button>
      </form>
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
