import { useInstantFormat } from "~/ui/frame/time-zone";
import { countMembers, describeChoice, letterPath } from "./letter-words";
import type { Letter } from "./letters.server";
import { LetterText } from "./stored-letter";

const restoreWords =
  "A backup of the site was restored while the letter was going out, which stopped it. Some of the others may have it: the backup does not know what went out after it was made.";

/** A letter that was sent: how far it is, the button to stop it, and its text. */
export function LetterProgress({ letter }: { letter: Letter }) {
  const formatInstant = useInstantFormat();
  const { state, sent_at, sent_by, stopped_at, stopped_by_restore } = letter;
  const { delivered, waiting, refused, unsent, perhaps } = letter;
  const total = letter.to_count ?? 0;
  const others = total - delivered - waiting - refused - unsent - perhaps;
  const facts: [string, string | null][] = [
    ["Sent", sent_at && `${formatInstant(sent_at)}, ${sent_by ?? "a former admin"}`],
    ["To", `${countMembers(total)}: ${describeChoice(letter)}`],
    ["Handed to the mail server", String(delivered)],
    ["Waiting", state === "sending" ? String(waiting) : null],
    ["Refused by the mailbox", refused > 0 ? String(refused) : null],
    ["Not sent", unsent > 0 ? `${unsent}: the mail server did not take their emails for five days` : null],
    ["Perhaps delivered", perhaps > 0 ? `${perhaps}: the connection broke at the end. They get no second copy` : null],
    ["Others", others > 0 ? `${others}: they left or stopped mail, or the letter was stopped before their turn` : null],
    ["Stopped", stopped_at && `${formatInstant(stopped_at)}${stopped_by_restore ? `. ${restoreWords}` : ""}`],
  ];
  return (
    <div className="request-page">
      <section aria-labelledby="text">
        <h3 id="text" className="text-xl">
          The letter
        </h3>
        <div className="mt-3 rounded-xl border border-(--line) bg-(--raised) px-5 py-4 wrap-anywhere">
          <LetterText {...letter} />
        </div>
      </section>
      <section aria-labelledby="progress" className="request-actions">
        <h3 id="progress" className="text-xl">
          {{ draft: "", sending: "Sending", sent: "Sent", stopped: "Stopped" }[state]}
        </h3>
        <dl className="grid gap-3">
          {facts.map(([term, value]) =>
            value === null ? null : (
              <div key={term}>
                <dt className="text-sm text-(--muted)">{term}</dt>
                <dd className="wrap-anywhere">{value}</dd>
              </div>
            ),
          )}
        </dl>
        {unsent > 0 && state !== "stopped" ? (
          <form method="post" action={letterPath(letter.id)}>
            <button name="intent" value="resend" className="button">
              {`Send to the ${countMembers(unsent)} again`}
            </button>
          </form>
        ) : null}
        {state === "sending" ? (
          <>
            <p>
              <a href={letterPath(letter.id)} className="inline-flex min-h-11 items-center">
                Show the present numbers
              </a>
            </p>
            <form method="post" action={letterPath(letter.id)}>
              <button name="intent" value="stop" className="button delete">
                Stop
              </button>
            </form>
          </>
        ) : null}
      </section>
    </div>
  );
}
