import type { requestAcknowledgement } from "#supabase/functions/_shared/mails/data-rights-mail";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token";

/**
 * Creates the links of a request and the mail that has them. The database gets only their digests.
 * @param email recipient; "" if the database fills it in
 */
export async function createLinks(write: typeof requestAcknowledgement, email: string, siteUrl: string) {
  const tokens = { confirm: newSecretToken(), status: newSecretToken() };
  const { subject, body } = write(email, tokens, siteUrl);
  return {
    confirm_token_hash: await digestOfToken(tokens.confirm),
    status_token_hash: await digestOfToken(tokens.status),
    mail: { subject, body },
  };
}
