import { z } from "zod";
import { loginPage } from "~/content/account/login";

/** What the sign-in form may hold (REQUIREMENTS 7.1); longer than any password that bcrypt reads is refused unread. */
export const loginSchema = z.object({
  email: z
    .string(loginPage.mistakes.email)
    .trim()
    .max(255, loginPage.mistakes.email)
    .regex(z.regexes.html5Email, loginPage.mistakes.email),
  password: z.string(loginPage.mistakes.password).min(1, loginPage.mistakes.password).max(1024),
});

/** An email address and a password that are worth trying. */
export type Credentials = z.output<typeof loginSchema>;
