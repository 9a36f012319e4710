import type { SubmissionResult } from "@conform-to/react";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextAreaField, TextField } from "~/ui/forms/field";
import type { OwnAccount } from "./account.server";

/** Content of the form for name and signature. */
export interface NameFormProps {
  account: Pick<OwnAccount, "name" | "signature">;
  /** result of a refused post, with its texts, else null */
  lastResult: SubmissionResult | null;
}

/** Name and signature of the admin for replies. Works without scripts. */
export function NameForm({ account, lastResult }: NameFormProps) {
  const typed = lastResult?.initialValue as Partial<NameFormProps["account"]> | undefined;
  const errorOf = (name: keyof NameFormProps["account"]) => lastResult?.error?.[name]?.[0];
  const mistakes = (["name", "signature"] as const).map((name) => ({ controlId: `own-${name}`, text: errorOf(name) }));
  return (
    <section aria-labelledby="own-name-title" className="grid gap-6">
      <ErrorSummary mistakes={mistakes} />
      <h3 id="own-name-title" className="text-xl">
        Your name and signature
      </h3>
      <form method="post" action="/admin/account" noValidate className="grid max-w-xl gap-6">
        <TextField
          id="own-name"
          name="name"
          label="Your name"
          hint="Visitors see it as the sender of your replies, colleagues see it in the log. Leave it empty to reply in the firm’s name."
          autoComplete="name"
          defaultValue={typed ? typed.name : account.name}
          error={errorOf("name")}
        />
        <TextAreaField
          id="own-signature"
          name="signature"
          label="Signature"
          hint="Added below each new reply. You can edit it there before sending."
          rows={4}
          defaultValue={typed ? typed.signature : account.signature}
          error={errorOf("signature")}
        />
        <p>
          <button name="intent" value="save-name" className="button">
            Save
          </button>
        </p>
      </form>
    </section>
  );
}
