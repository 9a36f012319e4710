import { z } from "zod";
import { maxCharacters } from "#supabase/functions/_shared/form-text";

const samePassword = "Enter a password that differs from your current one";
const repeatedPassword = "Enter the same new password again";
/** Rejects overlong passwords unread, as sign-in does. */
const password = (mistake: string, what: string) =>
  z.string(mistake).min(1, { error: mistake, abort: true }).check(maxCharacters(what, 1024));

/** Validates the form for a new password. `findPasswordFault` judges its strength. */
export const passwordChangeSchema = z
  .object({
    currentPassword: password("Enter your current password", "your current password"),
    newPassword: password("Enter a new password", "your new password").normalize("NFC"),
    repeatedPassword: z.string(repeatedPassword).normalize("NFC"),
  })
  .refine((form) => form.newPassword !== form.currentPassword.normalize("NFC"), {
    path: ["newPassword"],
    message: samePassword,
  })
  .refine((form) => form.newPassword === form.repeatedPassword, {
    path: ["repeatedPassword"],
    message: repeatedPassword,
  });

/** A form that passed {@link passwordChangeSchema}. */
export type PasswordChange = z.output<typeof passwordChangeSchema>;
