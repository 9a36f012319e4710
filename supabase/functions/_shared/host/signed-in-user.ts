import type { User } from "@supabase/supabase-js";
import { BackendUnavailable, secretBackend } from "./backend.ts";

/**
 * Finds the user of an access token. Calls the authentication service, because a signed-out token still has a valid
 * signature.
 * @returns null for an invalid token
 * @throws BackendUnavailable when the service does not respond
 */
export async function findSignedInUser(token: string): Promise<User | null> {
  const { data, error } = await secretBackend().auth.getUser(token);
  const status = error?.status ?? 0;
  const refused = status >= 400 && status < 500 && status !== 429;
  if (error && !refused) throw new BackendUnavailable(error.code ?? `auth-${status}`);
  // A success must contain a user.
  if (!error && !data.user?.id) throw new BackendUnavailable("auth-no-user");
  return data.user;
}

/**
 * Reads the session id of an access token.
 * @param token one whose user was found; nothing is verified here
 */
export function readSessionId(token: string): string {
  const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  const { session_id } = JSON.parse(atob(payload)) as { session_id: string };
  return session_id;
}
