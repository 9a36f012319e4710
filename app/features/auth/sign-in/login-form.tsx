import { type SubmissionResult, getFormProps, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import { loginPage as copy } from "~/content/pages/login";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/field";
import type { Credentials } from "./login.schema";

/** Content of the sign-in form. */
export interface LoginFormProps {
  /** result of the last post; never contains the password */
  lastResult: SubmissionResult | undefined;
  isSigningIn: boolean;
  /** rendered between the mistakes and the fields */
  children: ReactNode;
}

/** Email, password and a button. Works without scripts. */
export function LoginForm({ lastResult, isSigningIn, children }: LoginFormProps) {
  const [form, fields] = useForm<Credentials>({ id: "login", lastResult });
  useEffect(() => {
    // Clears a mistyped password, as a reload would. After a lost connection it stays, since it may be right.
    const password = document.getElementById(fields.password.id);
    if (lastResult?.initialValue && password instanceof HTMLInputElement) password.value = "";
  }, [lastResult, fields.password.id]);
  const mistakes = [fields.email, fields.password].flatMap((field) => {
    const text = field.errors?.[0];
    return text ? [{ controlId: field.id, text }] : [];
  });
  return (
    <>
      <ErrorSummary mistakes={mistakes} />
      {children}
      <Form {...getFormProps(form)} method="post" action="/login" noValidate className="grid gap-6">
        <TextField
          label={copy.fields.email}
          id={fields.email.id}
          name={fields.email.name}
          type="email"
          autoComplete="username"
          required
          disabled={isSigningIn}
          defaultValue={fields.email.initialValue}
          error={fields.email.errors?.[0]}
        />
        <TextField
          label={copy.fields.password}
          id={fields.password.id}
          name={fields.password.name}
          type="password"
          autoComplete="current-password"
          required
          disabled={isSigningIn}
          error={fields.password.errors?.[0]}
        />
        <p>
          <button className="button w-full sm:w-auto" disabled={isSigningIn}>
            {isSigningIn ? copy.signingIn : copy.signIn}
          </button>
        </p>
      </Form>
    </>
  );
}
