import type { ReactNode } from "react";
import { TextField } from "~/ui/forms/field";

/** Content of a form for one code. */
export interface CodeFormProps {
  action: string;
  /** the `intent` that the post carries */
  intent: string;
  label: string;
  submit: string;
  /** `one-time`: six digits from an authenticator app; `written`: a recovery or setup code */
  kind: "one-time" | "written";
  /** mistake in the last attempt, if any */
  error?: string | undefined;
  quiet?: boolean;
  /** further fields */
  children?: ReactNode;
}

const attributes = {
  "one-time": { type: "text", inputMode: "numeric", autoComplete: "one-time-code" },
  written: { type: "text", autoComplete: "off", autoCapitalize: "off", spellCheck: false },
} as const;

/** One field and its button. The page never repeats the typed code. */
export function CodeForm({ action, intent, label, submit, kind, error, quiet, children }: CodeFormProps) {
  return (
    <form method="post" action={action} noValidate className="grid gap-5">
      <input type="hidden" name="intent" value={intent} />
      {children}
      <TextField label={label} id={intent} name="code" required error={error} {...attributes[kind]} />
      <p>
        <button className={quiet ? "button button-quiet" : "button"}>{submit}</button>
      </p>
    </form>
  );
}

/** A field for an authenticator code inside another form. */
export function OneTimeCodeField({ label, id, error }: { label: string; id: string; error: string | undefined }) {
  return <TextField label={label} id={id} name="code" required error={error} {...attributes["one-time"]} />;
}
