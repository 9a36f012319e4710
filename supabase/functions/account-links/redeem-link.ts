import type { UserResponse } from "@supabase/supabase-js";
import { findPasswordFault } from "../../../app/lib/passwords/password-rule.ts";
import { findPasswordWords } from "../../../app/lib/passwords/password-words.ts";
import { BackendUnavailable, callBackend, secretBackend, tryBackend } from "../_shared/host/backend.ts";
import { setting } from "../_shared/host/runtime.ts";
import { digestOfToken } from "../_shared/secret-token.ts";

/** Purpose of a link. */
type Purpose = "invitation" | "new-password";

/** Result of redeeming a link: its purpose, null for an invalid one; or what is wrong with the password. */
export type Redemption = { purpose: Purpose | null } | { fault: string };

interface ClaimedLink {
  purpose: Purpose;
  email: string;
  /** null for an invited person without an account */
  user_id: string | null;
}

/**
 * Uses a link once: sets the password, creating the account if necessary, then has the database end the link and the
 * account's other links and sessions. A second factor stays unchanged.
 * @throws BackendUnavailable when that failed; the link can be used again, immediately or after a minute
 */
export async function redeemLink(token: string, password: string): Promise<Redemption> {
  const tokenHash = await digestOfToken(token);
  const [link] = await callBackend<ClaimedLink[]>("claim_account_link", { token_hash: tokenHash });
  if (!link) return { purpose: null };
  try {
    const set = await setPassword(link, password);
    if ("fault" in set) {
      await callBackend("release_account_link", { token_hash: tokenHash });
      return set;
    }
    const { code } = await tryBackend("finish_account_link", { token_hash: tokenHash, user_id: set.userId });
    // Withdrawn in the meantime.
    if (code === "P0002") return { purpose: null };
    if (code !== null) throw new BackendUnavailable(code);
    return { purpose: link.purpose };
  } catch (error) {
    await tryBackend("release_account_link", { token_hash: tokenHash });
    throw error;
  }
}

/** Opening the link proves access to the mailbox, so the address counts as confirmed. */
async function setPassword(
  { email, user_id }: ClaimedLink,
  password: string,
): Promise<{ userId: string } | { fault: string }> {
  const words = findPasswordWords(email, setting("SITE_URL") ?? "", setting("FIRM_NAME") ?? "");
  const fault = await findPasswordFault(password, words);
  if (fault) return { fault };
  const { admin } = secretBackend().auth;
  const attributes = { password, email_confirm: true };
  const { data, error }: UserResponse =
    user_id === null
      ? await admin.createUser({ email, ...attributes })
      : await admin.updateUserById(user_id, attributes);
  if (!error) return { userId: data.user.id };
  // A Supabase project may have stricter password rules than ours.
  if (error.code === "weak_password") return { fault: error.message };
  throw new BackendUnavailable(error.code ?? `auth-${error.status ?? 0}`);
}
