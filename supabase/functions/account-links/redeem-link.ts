import type { SupabaseClient, UserResponse } from "@supabase/supabase-js";
import { findPasswordFault } from "../../../app/lib/passwords/password-rule.ts";
import { findPasswordWords } from "../../../app/lib/passwords/password-words.ts";
import { BackendUnavailable, secretBackend } from "../_shared/host/backend.ts";
import { setting } from "../_shared/host/runtime.ts";
import { digestOfToken } from "../_shared/secret-token.ts";

/** What a link is for. */
type Purpose = "invitation" | "new-password";

/** What came of it: what the link was for, null for one that opens nothing; or what is wrong with the password. */
export type Redemption = { purpose: Purpose | null } | { fault: string };

interface ClaimedLink {
  purpose: Purpose;
  email: string;
  /** null: an invited person without an account */
  user_id: string | null;
}

/**
 * Uses a link once: sets the password, creating the account where there is none, then has the database end the link
 * and what hangs on it. A second factor stays as it is.
 * @throws BackendUnavailable when that failed; the link can be used again, at once or after a minute
 */
export async function redeemLink(token: string, password: string): Promise<Redemption> {
  const client = secretBackend();
  const tokenHash = await digestOfToken(token);
  const [link] = await call<ClaimedLink[]>(client, "claim_account_link", { token_hash: tokenHash });
  if (!link) return { purpose: null };
  try {
    const set = await setPassword(client, link, password);
    if ("fault" in set) {
      await call(client, "release_account_link", { token_hash: tokenHash });
      return set;
    }
    const finished = await client.rpc("finish_account_link", { token_hash: tokenHash, user_id: set.userId });
    // Withdrawn in this very moment.
    if (finished.error?.code === "P0002") return { purpose: null };
    if (finished.error) throw new BackendUnavailable(finished.error.code || "unreachable");
    return { purpose: link.purpose };
  } catch (error) {
    await client.rpc("release_account_link", { token_hash: tokenHash });
    throw error;
  }
}

/** Whoever opened the link has the mailbox, so the address counts as confirmed. */
async function setPassword(
  { auth: { admin } }: SupabaseClient,
  { email, user_id }: ClaimedLink,
  password: string,
): Promise<{ userId: string } | { fault: string }> {
  const words = findPasswordWords(email, setting("SITE_URL") ?? "", setting("FIRM_NAME") ?? "");
  const fault = await findPasswordFault(password, words);
  if (fault) return { fault };
  const attributes = { password, email_confirm: true };
  const { data, error }: UserResponse =
    user_id === null
      ? await admin.createUser({ email, ...attributes })
      : await admin.updateUserById(user_id, attributes);
  if (!error) return { userId: data.user.id };
  // A project may ask more of a password than we do.
  if (error.code === "weak_password") return { fault: error.message };
  throw new BackendUnavailable(error.code ?? `auth-${error.status ?? 0}`);
}

async function call<Data>(client: SupabaseClient, name: string, parameters: Record<string, unknown>): Promise<Data> {
  const { data, error } = await client.rpc(name, parameters);
  if (error) throw new BackendUnavailable(error.code || "unreachable");
  return data as Data;
}
