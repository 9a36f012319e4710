import { newPasswordMail } from "../_shared/mails/account-link-mail.ts";
import { BackendUnavailable, secretBackend } from "../_shared/host/backend.ts";
import { setting } from "../_shared/host/runtime.ts";
import { digestOfToken, newSecretToken } from "../_shared/secret-token.ts";

/**
 * Makes a link to set a new password and queues the mail that brings it, if the address has an account.
 * @returns whether a mail waits
 * @throws BackendUnavailable when nothing was queued and it may be tried again
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
