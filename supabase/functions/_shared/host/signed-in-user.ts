import type { User } from "@supabase/supabase-js";
import { BackendUnavailable, secretBackend } from "./backend.ts";

/**
 * Whose access token this is. Asks the authentication service: a token that was signed out still has a good signature.
 * @returns null for a token that is nobody's
 * @throws BackendUnavailable when the service does not answer
 */
export async function findSignedInUser(token: string): Promise<User | null> {
  const { data, error } = await secretBackend().auth.getUser(token);
  const status = error?.status ?? 0;
  const refused = status >= 400 && status < 500 && status !== 429;
  if (error && !refused) throw new BackendUnavailable(error.code ?? `auth-${status}`);
  // Without an error the service names a user.
  if (!error && !data.user?.id) throw new BackendUnavailable("auth-no-user");
  return data.user;
}

/**
 * Which session an access token is of.
 * @param token one whose user was found: nothing is verified here
 */
export function readSessionId(token: string): string {
  const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  const { session_id } = JSON.parse(atob(payload)) as { session_id: string };
  return session_id;
}
