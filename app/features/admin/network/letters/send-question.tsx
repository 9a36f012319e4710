import { TallLink } from "~/ui/content/tall-link";
import { TitledSection } from "~/ui/content/titled-section";
import { TextField } from "~/ui/forms/field";
import { SeenField } from "../../shared/seen-field";
import { checkPath, countMembers, describeChoice } from "./letter-words";
import type { Letter } from "./letters.server";

/** Props of {@link SendQuestion}. */
export interface SendQuestionProps {
  letter: Letter;
  /** members who would get it now */
  count: number;
  /** number as it was typed */
  typed: string;
  mistake: string | null;
}

/** Id of the number's control, for the error summary. */
export const numberId = "number";

/** The last page before a letter goes out. It asks for the number of members. */
export function SendQuestion({ letter, count, typed, mistake }: SendQuestionProps) {
  return (
    <TitledSection id="question" title={`Send this letter to ${countMembers(count)}?`} className="max-w-2xl">
      <div className="mt-2 grid gap-2 wrap-anywhere">
        <p className="font-semibold" dir="auto">
          {letter.subject}
        </p>
        <p>{describeChoice(letter)}</p>
        <p>
          Each gets one email, after all other email of this site. You can stop it on the next page, but not take back
          what has gone out.
        </p>
      </div>
      <form method="post" action={checkPath(letter.id)} noValidate className="mt-5 grid gap-5">
        <SeenField version={letter.version} />
        <TextField
          id={numberId}
          name={numberId}
          label="Number of members"
          hint={`Type ${count} to confirm.`}
          inputMode="numeric"
          autoComplete="off"
          required
          defaultValue={typed}
          error={mistake ?? undefined}
        />
        <p className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <button name="intent" value="send" className="button">
            {`Send to ${countMembers(count)}`}
          </button>
          <TallLink href={checkPath(letter.id)}>Cancel</TallLink>
        </p>
      </form>
    </TitledSection>
  );
}
