import type { SubmissionResult } from "@conform-to/react";
import { Notice, type NoticeProps } from "../frame/notice";
import { ErrorSummary } from "./error-summary";
import { TextField } from "./field";
import type { AskedAddress } from "~/lib/pages/questioned-address";
import { QuestionedAddress } from "./questioned-address";

/** A post of {@link EmailForm} that was refused. */
export interface RefusedEmail {
  /** the mistake and the input */
  result: SubmissionResult;
  message: NoticeProps | null;
  asked: AskedAddress | null;
}

/** Props of {@link EmailForm}. */
export interface EmailFormProps {
  action: string;
  words: { email: string; submit: string };
  autoComplete: "email" | "username";
  refused: RefusedEmail | undefined;
}

/** A form with one email address, to which a link is mailed. Works without scripts. */
export function EmailForm({ action, words, autoComplete, refused }: EmailFormProps) {
  return (
    <form method="post" action={action} noValidate className="mt-8 grid gap-6">
      <TextField
        label={words.email}
        id="email"
        name="email"
        type="email"
        autoComplete={autoComplete}
        required
        defaultValue={refused && String(refused.result.initialValue?.email ?? "")}
        error={findMistake(refused)}
      />
      <QuestionedAddress asked={refused?.asked ?? null} />
      <p>
        <button className="button w-full sm:w-auto">{words.submit}</button>
      </p>
    </form>
  );
}

/** Says at the top of the page why a post was refused. */
export function RefusedEmailNotice({ refused }: { refused: RefusedEmail | undefined }) {
  const mistake = findMistake(refused);
  return (
    <>
      {refused?.message ? <Notice {...refused.message} /> : null}
      <ErrorSummary mistakes={mistake ? [{ controlId: "email", text: mistake }] : []} />
    </>
  );
}

/** Finds the mistake in the address. A notice takes its place: the post was refused for another reason. */
function findMistake(refused: RefusedEmail | undefined): string | undefined {
  return refused?.message ? undefined : refused?.result.error?.email?.[0];
}
