import { describeChoice } from "./letter-words";
import type { Letter } from "./letters.server";

/** The stored version of a draft, after someone else changed it. */
export function StoredLetter({ letter }: { letter: Letter }) {
  return (
    <section
      aria-labelledby="stored"
      className="max-w-2xl rounded-lg border-2 border-(--danger) bg-(--raised) px-5 py-4 wrap-anywhere"
    >
      <h3 id="stored" className="text-lg">
        Stored now
      </h3>
      <LetterText {...letter} />
      <p className="mt-3 text-(--muted)">{`To: ${describeChoice(letter)}`}</p>
    </section>
  );
}

/** Subject and text of a letter. Each paragraph has its own direction, as mail programs show it. */
export function LetterText({ subject, body }: { subject: string; body: string }) {
  return (
    <>
      <p className="mt-2 font-semibold" dir="auto">
        {subject || "No subject yet"}
      </p>
      <p className="letter-text mt-3" dir="auto">
        {body}
      </p>
    </>
  );
}
