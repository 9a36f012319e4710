import { z } from "zod";
import { accountPage } from "~/content/account/account";

const { mistakes } = accountPage.password;
/** Longer ones are refused unread, as at signing in. */
const password = (mistake: string) => z.string(mistake).min(1, mistake).max(1024, mistake);

/** What the form for a new password may hold; whether the new one is good enough is the rule's to say. */
export const passwordChangeSchema = z
  .object({
    currentPassword: password(mistakes.currentPassword),
    newPassword: password(mistakes.newPassword),
    repeatedPassword: z.string(mistakes.repeatedPassword),
  })
  .refine((form) => form.newPassword !== form.currentPassword, {
    path: ["newPassword"],
    message: mistakes.samePassword,
  })
  .refine((form) => form.newPassword === form.repeatedPassword, {
    path: ["repeatedPassword"],
    message: mistakes.repeatedPassword,
  });

/** A form that passed {@link passwordChangeSchema}. */
export type PasswordChange = z.output<typeof passwordChangeSchema>;
