import { z } from "zod";
import { readEmailAddress } from "#supabase/functions/_shared/email-address";
import { maxCharacters } from "#supabase/functions/_shared/form-text";
import { loginPage } from "~/content/pages/login";
import { normalizeLine } from "~/lib/plain-text";

const { mistakes } = loginPage;

/**
 * What the sign-in form may hold (REQUIREMENTS 7.1). Any address that an account may have from earlier days is taken, also one that no
 * other form would take. A password longer than bcrypt reads is refused unread.
 */
export const loginSchema = z.object({
  email: z
    .string(mistakes.email)
    .overwrite(readAccountAddress)
    .regex(/^[^@]+@./, { error: mistakes.email, abort: true })
    .check(maxCharacters("your email address", 255)),
  password: z
    .string(mistakes.password)
    .min(1, { error: mistakes.password, abort: true })
    .check(maxCharacters("your password", 1024)),
});

/** An email address and a password that are worth trying. */
export type Credentials = z.output<typeof loginSchema>;

/** As it was typed where it can be an address so, else without what people paste around one. */
function readAccountAddress(typed: string): string {
  const plain = normalizeLine(typed);
  return z.regexes.html5Email.test(plain) ? plain : (readEmailAddress(typed).address ?? plain);
}
