import type { ReactNode } from "react";
import { accountLinkPage as copy } from "~/content/pages/account-link";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/field";

/** Content of the form that an account link opens. */
export interface ChoosePasswordFormProps {
  token: string;
  /** of the account, for password managers */
  email: string;
  /** by field */
  mistakes: { password?: string | undefined; repeated?: string | undefined };
  /** rendered between the mistakes and the fields */
  children: ReactNode;
}

const names = ["password", "repeated"] as const;

/** The password, twice. Works without scripts. */
export function ChoosePasswordForm({ token, email, mistakes, children }: ChoosePasswordFormProps) {
  const found = names.flatMap((name) => {
    const text = mistakes[name];
    return text ? [{ controlId: name, text }] : [];
  });
  return (
    <>
      <ErrorSummary mistakes={found} />
      {children}
      <form
        method="post"
        action={`/login/password?token=${encodeURIComponent(token)}`}
        noValidate
        className="mt-8 grid gap-6"
      >
        <input type="hidden" name="token" value={token} />
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        {names.map((name) => (
          <TextField
            key={name}
            {...copy.fields[name]}
            id={name}
            name={name}
            type="password"
            autoComplete="new-password"
            required
            error={mistakes[name]}
          />
        ))}
        <p>
          <button className="button w-full sm:w-auto">{copy.submit}</button>
        </p>
      </form>
    </>
  );
}
