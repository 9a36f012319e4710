import { z } from "zod";
import { maxCharacters } from "#supabase/functions/_shared/form-text";
import { composePassword } from "~/lib/passwords/password-rule";

const samePassword = "Enter a password that differs from your current one";
const repeatedPassword = "Enter the same new password again";
/** Rejects overlong passwords before anything is done to them. */
const password = (mistake: string, what: string) =>
  z.string(mistake).min(1, { error: mistake, abort: true }).check(maxCharacters(what, 1024));

/** Validates the form for a new password. `findPasswordFault` judges its strength. */
export const passwordChangeSchema = z
  .object({
    currentPassword: password("Enter your current password", "your current password"),
    newPassword: password("Enter a new password", "your new password").overwrite(composePassword),
    repeatedPassword: z.string(repeatedPassword).overwrite(composePassword),
  })
  .refine((form) => form.newPassword !== composePassword(form.currentPassword), {
    path: ["newPassword"],
    message: samePassword,
  })
  .refine((form) => form.newPassword === form.repeatedPassword, {
    path: ["repeatedPassword"],
    message: repeatedPassword,
  });

/** A form that passed {@link passwordChangeSchema}. */
export type PasswordChange = z.output<typeof passwordChangeSchema>;
