import { AuthApiError, type SupabaseClient } from "@supabase/supabase-js";
import { composePassword, isLongerThanHashed } from "~/lib/passwords/password-rule";
import type { Credentials } from "../sign-in/login.schema";

const refused = {
  data: { user: null, session: null },
  error: new AuthApiError("Invalid login credentials", 400, "invalid_credentials"),
};

/**
 * Signs in with a password. Keyboards encode accented letters differently, so this tries the composed form (Unicode
 * NFC) in which passwords are stored, then the typed form, in which older ones were stored.
 */
export async function tryPassword(auth: SupabaseClient["auth"], { email, password }: Credentials) {
  const composed = composePassword(password);
  // OWASP ASVS 5, 6.2.8: bcrypt ignores everything after the 72nd byte.
  if (isLongerThanHashed(composed)) return refused;
  const first = await auth.signInWithPassword({ email, password: composed });
  if (composed === password || first.error?.code !== "invalid_credentials") return first;
  return auth.signInWithPassword({ email, password });
}
