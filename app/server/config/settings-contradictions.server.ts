import { listBackupContradictions } from "~/lib/backup-settings";
import { hasMailUser } from "#supabase/functions/_shared/outbox/mail-server-address";
import { listSettings } from "./setting-variables.server";

/**
 * Finds contradictions between settings that are valid on their own.
 * @param given variables by name, none empty
 * @returns one line for each mistake, without values
 */
export function listContradictions(given: Record<string, string>): string[] {
  const mistakes: string[] = [];
  const key = given.SUPABASE_PUBLISHABLE_KEY;
  if (given.SUPABASE_ANON_KEY)
    mistakes.push("SUPABASE_ANON_KEY is no longer read: set its value as SUPABASE_PUBLISHABLE_KEY");
  else if (given.SUPABASE_URL && !key)
    mistakes.push("SUPABASE_PUBLISHABLE_KEY is missing (SUPABASE_URL is set; leave both out for the embedded backend)");
  if (key && !given.SUPABASE_URL)
    mistakes.push("SUPABASE_URL is missing (a Supabase key is set; leave both out for the embedded backend)");
  if (given.SUPABASE_URL && key && !given.SESSION_SECRET)
    mistakes.push(
      "SESSION_SECRET is missing (required with a hosted Supabase project; run `openssl rand -hex 32` to create one)",
    );
  if (given.SUPABASE_URL && given.ADMIN_SECOND_FACTOR)
    mistakes.push("ADMIN_SECOND_FACTOR has no effect here: with a hosted project, set it as a secret of the functions");
  if (given.SITE_KEY && !given.SUPABASE_URL)
    mistakes.push("SITE_KEY has no effect here: without a hosted project the site generates its own key");
  mistakes.push(...listBackupContradictions(given));
  for (const name of ["BACKUP_RECIPIENT", "BACKUP_SIGNING_KEY", "BACKUP_TO"])
    if (given.SUPABASE_URL && given[name])
      mistakes.push(`${name} has no effect here: a hosted project makes its own backups`);
  mistakes.push(...listMailContradictions(given));
  const unlessSet = Object.fromEntries(listSettings().map(([name, about]) => [name, about.unlessSet]));
  const { PORT, METRICS_PORT, HOST, METRICS_HOST } = { ...unlessSet, ...given };
  if (PORT === METRICS_PORT && HOST === METRICS_HOST) mistakes.push("METRICS_PORT must differ from PORT");
  return mistakes;
}

function listMailContradictions(given: Record<string, string>): string[] {
  const mistakes: string[] = [];
  if (given.SMTP_URL && given.RESEND_API_KEY) mistakes.push("SMTP_URL and RESEND_API_KEY are both set: choose one");
  if (!given.SUPABASE_URL && (given.SMTP_URL || given.RESEND_API_KEY)) {
    if (!given.MAIL_FROM) mistakes.push("MAIL_FROM is missing (a mail server is set)");
    if (!given.CONTACT_TO && !given.ADMIN_EMAIL) mistakes.push("CONTACT_TO is missing (a mail server is set)");
  }
  if (given.SMTP_TLS === "off" && /^smtps:/i.test(given.SMTP_URL ?? ""))
    mistakes.push("SMTP_TLS is off, and SMTP_URL begins with smtps://: choose one");
  const signIn = ["SMTP_USER", "SMTP_PASSWORD"];
  const [one] = signIn.filter((name) => given[name]);
  if (one && !given.SMTP_URL) mistakes.push(`SMTP_URL is missing (${one} is set)`);
  if (one) mistakes.push(...signIn.filter((name) => !given[name]).map((name) => `${name} is missing (${one} is set)`));
  if (one && hasMailUser(given.SMTP_URL ?? ""))
    mistakes.push(`SMTP_URL contains a user, and ${one} is set: leave user and password out of SMTP_URL`);
  return mistakes;
}
