import { newPasswordMail } from "../_shared/mails/account-link-mail.ts";
import { BackendUnavailable, secretBackend } from "../_shared/host/backend.ts";
import { setting } from "../_shared/host/runtime.ts";
import { digestOfToken, newSecretToken } from "../_shared/secret-token.ts";

/**
 * Creates a link to set a new password and queues the mail with it, if the address has an account.
 * @returns whether a mail was queued
 * @throws BackendUnavailable when nothing was queued; a retry is safe
 */
export async function requestNewPassword(email: string): Promise<boolean> {
  const siteUrl = setting("SITE_URL");
  if (!siteUrl) throw new BackendUnavailable("site-url-not-set");
  const token = newSecretToken();
  const request = { email, token_hash: await digestOfToken(token), mail: newPasswordMail(token, siteUrl) };
  const { data, error } = await secretBackend().rpc("request_new_password", request);
  if (error) throw new BackendUnavailable(error.code || "unreachable");
  return data === true;
}
