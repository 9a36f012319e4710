import { AuthApiError, type SupabaseClient } from "@supabase/supabase-js";
import { isLongerThanHashed } from "~/lib/passwords/password-rule";
import type { Credentials } from "../sign-in/login.schema";

const refused = {
  data: { user: null, session: null },
  error: new AuthApiError("Invalid login credentials", 400, "invalid_credentials"),
};

/**
 * Signs in with a password, whatever keyboard it was typed on: composed (Unicode's NFC), as passwords are stored, and then as it was
 * typed, because older ones were stored so.
 */
export async function tryPassword(auth: SupabaseClient["auth"], { email, password }: Credentials) {
  const composed = password.normalize("NFC");
  // OWASP ASVS 5, 6.2.8: a service that hashes with bcrypt would ignore everything behind the 72nd byte.
  if (isLongerThanHashed(composed)) return refused;
  const first = await auth.signInWithPassword({ email, password: composed });
  if (composed === password || first.error?.code !== "invalid_credentials") return first;
  return auth.signInWithPassword({ email, password });
}
