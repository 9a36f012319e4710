import { newPasswordMail } from "../_shared/mails/account-link-mail.ts";
import { callBackend, requireSiteUrl } from "../_shared/host/backend.ts";
import { digestOfToken, newSecretToken } from "../_shared/secret-token.ts";

/**
 * Creates a link to set a new password and queues the mail with it, if the address has an account.
 * @returns whether a mail was queued
 * @throws BackendUnavailable when nothing was queued; a retry is safe
 */
export async function requestNewPassword(email: string): Promise<boolean> {
  const siteUrl = requireSiteUrl();
  const token = newSecretToken();
  const request = { email, token_hash: await digestOfToken(token), mail: newPasswordMail(token, siteUrl) };
  return (await callBackend("request_new_password", request)) === true;
}
