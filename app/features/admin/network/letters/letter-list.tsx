import { useMediumDayFormat } from "~/ui/frame/time-zone";
import { EmptyList } from "../../shared/empty-list";
import { describeProgress, letterPath } from "./letter-words";
import type { LetterRow } from "./letters.server";

/** All letters, each with its state and day. */
export function LetterList({ letters }: { letters: readonly LetterRow[] }) {
  const formatDay = useMediumDayFormat();
  if (letters.length === 0) {
    return (
      <EmptyList>
        <p>No letters yet.</p>
        <p className="mx-auto max-w-[43.5em]">
          Write a letter, choose the members who get it, and mail it to yourself. Nothing goes out before you confirm
          the number of members on the last page.
        </p>
      </EmptyList>
    );
  }
  return (
    <ul className="inbox-list">
      {letters.map((letter) => (
        <li key={letter.id}>
          <a href={letterPath(letter.id)} className="letter-row">
            <bdi className="letter-subject">{letter.subject || "No subject yet"}</bdi>{" "}
            <span className="letter-state">{describeProgress(letter)}</span>{" "}
            <span className="letter-when">
              {letter.sent_at === null
                ? `Saved ${formatDay(letter.saved_at)}`
                : `${formatDay(letter.sent_at)}, ${letter.sent_by ?? "a former admin"}`}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
