import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import type { SiteDatabase } from "./site-database.server";

/** The words that people have agreed to, each under its SHA-256. */
const shownTexts = import.meta.glob<Record<string, unknown>>("../../content/consent-texts/*.json", {
  import: "default",
});

/**
 * What proves one consent (GDPR Article 7(1)): when it was given, by what, and on which words.
 * @param number of a record of consent to cookies, or the reference (a UUID) of a contact message
 * @throws OperationRefused when nothing has that number
 */
export async function proveConsent({ read }: SiteDatabase, number: string) {
  const choices = await read<{ textHash: string }>(
    `select decided_at as "decidedAt", recorded_at as "recordedAt", source, analytics_consent as analytics,
       marketing_consent as marketing, consent_version as version, text_hash as "textHash"
     from private.consent_history where session_id = $1 order by decided_at`,
    [number],
  );
  const messages = await read<{ textHash: string | null }>(
    `select consented_at as "agreedAt", consent_policy_version as "policyVersion", consent_text_hash as "textHash"
     from public.contact_submissions where id::text = lower($1)`,
    [number],
  );
  const hashes = new Set([...choices, ...messages].flatMap(({ textHash }) => textHash ?? []));
  if (choices.length + messages.length === 0) {
    throw new OperationRefused(
      "There is no consent with this number. Its time may be over, or its person had it deleted.",
    );
  }
  const [current] = await read<Record<string, unknown>>(
    `select analytics_consent as analytics, marketing_consent as marketing, updated_at as since, user_agent as browser
     from public.user_consents where session_id = $1`,
    [number],
  );
  return {
    number,
    ...(choices.length > 0 ? { holdsNow: current ?? "nothing", choices } : {}),
    ...(messages.length > 0 ? { contactForm: messages } : {}),
    wordsShown: await Promise.all([...hashes].map(readWords)),
    remarks: [
      "decidedAt is the time that the browser’s answer carried; recordedAt is the database’s clock, which no caller can set.",
      "textHash is the SHA-256 of the file app/content/consent-texts/<textHash>.json, which holds the words.",
    ],
  };
}

async function readWords(hash: string) {
  const load = shownTexts[`../../content/consent-texts/${hash}.json`];
  return { textHash: hash, words: load ? await load() : "This version does not hold these words; an older one does." };
}
