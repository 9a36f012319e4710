import type { SupabaseClient } from "@supabase/supabase-js";
import type { Credentials } from "../sign-in/login.schema";

/**
 * Signs in with a password, whatever keyboard it was typed on: composed (Unicode's NFC), as passwords are stored, and then as it was
 * typed, because older ones were stored so.
 */
export async function tryPassword(auth: SupabaseClient["auth"], { email, password }: Credentials) {
  const composed = password.normalize("NFC");
  const first = await auth.signInWithPassword({ email, password: composed });
  if (composed === password || first.error?.code !== "invalid_credentials") return first;
  return auth.signInWithPassword({ email, password });
}
