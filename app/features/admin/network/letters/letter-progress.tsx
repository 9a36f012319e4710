import { TallLink } from "~/ui/content/tall-link";
import { PostButton } from "~/ui/forms/post-button";
import { TitledSection } from "~/ui/content/titled-section";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { type Fact, FactList } from "../../shared/fact-list";
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
  const facts: Fact[] = [
    ["Sent", sent_at && `${formatInstant(sent_at)}, ${sent_by ?? "a former admin"}`],
    ["To", `${countMembers(total)}: ${describeChoice(letter)}`],
    ["Emails sent", String(delivered)],
    ["Waiting", state === "sending" ? String(waiting) : null],
    ["Refused by the mailbox", refused > 0 ? String(refused) : null],
    ["Not sent", unsent > 0 ? `${unsent}: the mail server did not take their emails for five days` : null],
    ["Perhaps delivered", perhaps > 0 ? `${perhaps}: the connection broke at the end. They get no second copy` : null],
    ["Others", others > 0 ? `${others}: they left or stopped mail, or the letter was stopped before their turn` : null],
    ["Stopped", stopped_at && `${formatInstant(stopped_at)}${stopped_by_restore ? `. ${restoreWords}` : ""}`],
  ];
  return (
    <div className="request-page">
      <TitledSection id="text" title="The letter">
        <div className="mt-3 rounded-xl border border-(--line) bg-(--raised) px-5 py-4 wrap-anywhere">
          <LetterText {...letter} />
        </div>
      </TitledSection>
      <TitledSection
        id="progress"
        title={{ draft: "", sending: "Sending", sent: "Sent", stopped: "Stopped" }[state]}
        className="request-actions"
      >
        <FactList facts={facts} className="grid gap-3" />
        {unsent > 0 && state !== "stopped" ? (
          <PostButton
            action={letterPath(letter.id)}
            intent="resend"
            label={`Send to the ${countMembers(unsent)} again`}
            className="button"
          />
        ) : null}
        {state === "sending" ? (
          <>
            <p>
              <TallLink href={letterPath(letter.id)}>Show the present numbers</TallLink>
            </p>
            <PostButton action={letterPath(letter.id)} intent="stop" label="Stop" className="button delete" />
          </>
        ) : null}
      </TitledSection>
    </div>
  );
}
