import { TitledSection } from "~/ui/content/titled-section";
import { Fragment } from "react";
import { SeenField } from "../../shared/seen-field";
import { checkPath, countMembers, describeChoice, findStrayBraces, letterPath } from "./letter-words";
import type { Letter, Recipients } from "./letters.server";
import { LetterText } from "./stored-letter";

/** Props of {@link LetterCheck}. */
export interface LetterCheckProps {
  letter: Letter;
  recipients: Recipients;
  /** the mail as the newest of them gets it */
  sample: { subject: string; body: string };
  /** the admin's address */
  ownAddress: string;
  canSend: boolean;
}

/** Shows who gets a letter, and the mail itself, with the buttons to mail it to oneself and to send it. */
export function LetterCheck(props: LetterCheckProps) {
  const { letter, recipients, sample } = props;
  const stray = findStrayBraces(letter);
  return (
    <div className="request-page">
      <div className="request-record">
        <TitledSection id="preview" title="The email">
          <p className="mt-1 text-(--muted)">
            {recipients.names[0] === undefined ? (
              "As a member gets it"
            ) : (
              <>
                {"As "}
                <bdi>{recipients.names[0]}</bdi>
                {" gets it"}
              </>
            )}
            , except that each member has their own link.
          </p>
          {stray.length === 0 ? null : (
            <p className="mt-3 text-(--danger)">
              {"Members get "}
              {stray.slice(0, 5).map((text, place) => (
                <Fragment key={text}>
                  {place > 0 ? ", " : null}
                  <code className="whitespace-nowrap">{text}</code>
                </Fragment>
              ))}
              {" as typed. Only {name} becomes their first name."}
            </p>
          )}
          <div className="mt-3 rounded-xl border border-(--line) bg-(--raised) px-5 py-4 wrap-anywhere">
            <LetterText {...sample} />
          </div>
        </TitledSection>
      </div>
      <div className="request-actions">
        <RecipientList {...props} />
        <NextStep {...props} />
      </div>
    </div>
  );
}

function RecipientList({ letter, recipients: { count, names } }: LetterCheckProps) {
  const more = count - names.length;
  return (
    <TitledSection id="recipients" title={count === 0 ? "No one gets it" : `${countMembers(count)} will get it`}>
      <p className="mt-1 text-(--muted)">{describeChoice(letter)}</p>
      {count === 0 ? (
        <p className="mt-2">
          {"No member matches now. "}
          <a href={letterPath(letter.id)} className="inline-block py-2.5">
            Change the choice
          </a>
        </p>
      ) : (
        <ul className="mt-2 wrap-anywhere">
          {names.map((name, place) => (
            <li key={`${place} ${name}`}>
              <bdi>{name}</bdi>
            </li>
          ))}
          {more > 0 ? <li className="text-(--muted)">{`and ${more} more`}</li> : null}
        </ul>
      )}
      <p className="mt-2 text-(--muted)">
        Members who stopped all mail, whose mailbox returned it, or whose data is restricted get nothing.
      </p>
    </TitledSection>
  );
}

function NextStep({ letter, recipients, ownAddress, canSend }: LetterCheckProps) {
  if (!canSend) return null;
  const action = checkPath(letter.id);
  return (
    <TitledSection id="next" title="Next" className="border-t border-(--line) pt-3">
      <p className="mt-1 wrap-anywhere">
        {letter.is_tried
          ? "You mailed this very text to yourself, so you can send it."
          : `Mail this very text to yourself, at ${ownAddress}, and read it there. Then you can send it.`}
      </p>
      <form method="post" action={action} className="mt-3 flex flex-wrap gap-3">
        <SeenField version={letter.version} />
        {letter.is_tried && recipients.count > 0 ? (
          <button name="intent" value="send" className="button">
            Send…
          </button>
        ) : null}
        <button name="intent" value="try" className={letter.is_tried ? "button button-quiet" : "button"}>
          {letter.is_tried ? "Send it to myself again" : "Send it to myself"}
        </button>
      </form>
    </TitledSection>
  );
}
