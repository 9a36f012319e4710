import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { type TableRow, writeTable } from "./markdown-table.server";
import type { ReadDatabase } from "./site-database.server";

/** Consent texts, each under its SHA-256. */
const shownTexts = import.meta.glob<Record<string, unknown>>("/app/content/consent-texts/*.json", {
  import: "default",
});

/**
 * Collects the proof of one consent (GDPR Article 7(1)): when it was given, by which control, and for which text.
 * @param number consent number (cookies) or reference, a UUID (contact message)
 * @throws OperationRefused if there is no consent with this number
 */
export async function proveConsent(read: ReadDatabase, number: string) {
  const choices = await read<TableRow & { textHash: string }>(
    `select decided_at as "decidedAt", recorded_at as "recordedAt", source, analytics_consent as analytics,
       marketing_consent as marketing, consent_version as version, text_hash as "textHash"
     from private.consent_history where session_id = $1 order by decided_at`,
    [number],
  );
  const messages = await read<TableRow & { textHash: string | null }>(
    `select consented_at as "agreedAt", consent_policy_version as "policyVersion", consent_text_hash as "textHash"
     from public.contact_submissions where id::text = lower($1)`,
    [number],
  );
  const hashes = new Set([...choices, ...messages].flatMap(({ textHash }) => textHash ?? []));
  if (choices.length + messages.length === 0) {
    throw new OperationRefused(
      "There is no consent with this number. It may have expired, or the person had it deleted.",
    );
  }
  const [current] = await read<TableRow>(
    `select analytics_consent as analytics, marketing_consent as marketing, updated_at as since, user_agent as browser
     from public.user_consents where session_id = $1`,
    [number],
  );
  return {
    number,
    ...(choices.length > 0 ? { holdsNow: current ?? "nothing", choices } : {}),
    ...(messages.length > 0 ? { contactForm: messages } : {}),
    wordsShown: await Promise.all([...hashes].map(readWords)),
  };
}

/** Writes the proof in Markdown. */
export function writeConsent(proof: Awaited<ReturnType<typeof proveConsent>>, timeZone: string): string {
  const { number, holdsNow, choices = [], contactForm = [], wordsShown } = proof;
  return [
    "# Proof of one consent",
    `Number: ${number}`,
    "## Choices about cookies",
    writeTable(choices, timeZone),
    "## Held now",
    writeTable(typeof holdsNow === "object" ? [holdsNow] : [], timeZone),
    "## Contact form",
    writeTable(contactForm, timeZone),
    "## Words shown",
    ...wordsShown.map(({ textHash, words }) => `${textHash}\n\n\`\`\`json\n${JSON.stringify(words, null, 2)}\n\`\`\``),
    "“Decided at” is the time that the browser sent with the decision; “recorded at” is the database’s clock, which no caller can set.",
    "“Text hash” is the SHA-256 of the file app/content/consent-texts/<text hash>.json, which has the text.",
  ].join("\n\n");
}

async function readWords(hash: string) {
  const load = shownTexts[`/app/content/consent-texts/${hash}.json`];
  return {
    textHash: hash,
    words: load ? await load() : "This version of the site lacks this text; an older version has it.",
  };
}
