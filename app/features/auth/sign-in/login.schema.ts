import { z } from "zod";
import { readEmailAddress } from "#supabase/functions/_shared/email-address";
import { boundedText, maxCharacters } from "#supabase/functions/_shared/form-text";
import { loginPage } from "~/content/pages/login";
import { normalizeLine } from "~/lib/plain-text";

const { mistakes } = loginPage;

/**
 * Validates the sign-in form (REQUIREMENTS 7.1). Accepts any address that an older account may have, even one that
 * other forms reject. Rejects overlong passwords before anything is done to them.
 */
export const loginSchema = z.object({
  email: boundedText("your email address", 255, readAccountAddress, mistakes.email).regex(/^[^@]+@./, mistakes.email),
  password: z
    .string(mistakes.password)
    .min(1, { error: mistakes.password, abort: true })
    .check(maxCharacters("your password", 1024)),
});

/** A valid sign-in form. */
export type Credentials = z.output<typeof loginSchema>;

/** Keeps the typed text if it is a valid address, else strips what people paste around one. */
function readAccountAddress(typed: string): string {
  const plain = normalizeLine(typed);
  return z.regexes.html5Email.test(plain) ? plain : (readEmailAddress(typed).address ?? plain);
}
