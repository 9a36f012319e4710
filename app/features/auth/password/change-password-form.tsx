import type { SubmissionResult } from "@conform-to/react";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/field";
import type { PasswordChange } from "./change-password.schema";

/** Content of the form for a new password. */
export interface ChangePasswordFormProps {
  /** of the account, for password managers */
  email: string;
  /** result of the last post; never contains a password */
  lastResult: SubmissionResult | null;
}

const fields: Record<keyof PasswordChange, { label: string; hint?: string }> = {
  currentPassword: { label: "Current password" },
  newPassword: {
    label: "New password",
    hint: "At least 12 characters. Use a password manager, or four unrelated words.",
  },
  repeatedPassword: { label: "Confirm new password" },
};
const names = Object.keys(fields) as (keyof PasswordChange)[];

/** Current password, and the new password twice. Works without scripts. */
export function ChangePasswordForm({ email, lastResult }: ChangePasswordFormProps) {
  const errorOf = (name: keyof PasswordChange) => lastResult?.error?.[name]?.[0];
  return (
    <section aria-labelledby="password" className="grid gap-6">
      <ErrorSummary mistakes={names.map((name) => ({ controlId: name, text: errorOf(name) }))} />
      <div>
        <h3 id="password" className="text-xl">
          Change your password
        </h3>
        <p className="mt-2 max-w-[43.5em]">
          You stay signed in here, and all your other sessions end. We email you about the change.
        </p>
      </div>
      <form method="post" action="/admin/account" noValidate className="grid max-w-xl gap-6">
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        {names.map((name) => (
          <TextField
            key={name}
            {...fields[name]}
            id={name}
            name={name}
            type="password"
            autoComplete={name === "currentPassword" ? "current-password" : "new-password"}
            required
            error={errorOf(name)}
          />
        ))}
        <p>
          <button name="intent" value="change-password" className="button">
            Change password
          </button>
        </p>
      </form>
    </section>
  );
}
