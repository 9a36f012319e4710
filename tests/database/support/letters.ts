import type { SupabaseClient } from "@supabase/supabase-js";
import { randomUUID } from "node:crypto";
import { composeLetter, type LetterFooter } from "#supabase/functions/_shared/mails/letter-mail.ts";
import type { TestBackend } from "./test-backend.ts";

/** A letter, as an admin writes it. */
export const exampleLetter = {
  subject: "A clinic is raising its first round",
  body: "Dear {name},\n\nReply if you would like to see its papers.\n\nAda Hale",
  to_states: ["confirmed", "admitted"],
  to_kind: null as string | null,
  to_field: null as string | null,
};

/** Adds confirmed members, `<prefix>-1@fund.example` and so on. */
export async function addMembers({ sql }: TestBackend, prefix: string, count: number, kind: string | null = null) {
  await sql(
    `insert into public.network_members
       (email, name, company, kind, state, confirmed_at, renewed_at, consent_text_hash, consent_policy_version)
     select $1 || '-' || n || '@fund.example', 'Member ' || n, 'Fund', $3, 'confirmed', now(), now(), repeat('c', 64), '1.0'
     from generate_series(1, $2::integer) as n returning 1 as ok`,
    [prefix, count, kind],
  );
}

/** Deletes all members and letters. */
export async function clearNetwork({ sql }: TestBackend) {
  await sql("delete from private.email_outbox returning 1 as ok");
  await sql("delete from public.network_letters returning 1 as ok");
  await sql(
    "with erasing as (select set_config('private.erases_log', 'on', true)) delete from public.network_members using erasing returning 1 as ok",
  );
}

/** Saves a new letter. */
export async function saveLetter(admin: SupabaseClient, changes: Partial<typeof exampleLetter> = {}) {
  const letter = { letter_id: randomUUID(), ...exampleLetter, ...changes };
  const version = (await admin.rpc("save_letter", { ...letter, seen_version: 0 }).throwOnError()).data as number;
  return { ...letter, version };
}

/** The end of every letter in tests, as the site composes it. */
export const exampleFooter: LetterFooter = {
  firm: "Hale & Co",
  address: "1 Main Street, Salem, Oregon",
  site: "firm.example",
};

/**
 * Mails a letter to the admin, as the page does.
 * @param footer stored with the letter, for tests of those that are refused
 */
export function tryLetter(
  admin: SupabaseClient,
  { letter_id, subject, body, version }: SavedLetter,
  footer: unknown = exampleFooter,
) {
  const mail = composeLetter({ subject, body, name: "Ada", footer: exampleFooter });
  return admin.rpc("try_letter", { letter_id, mail, footer, seen_version: version });
}

export type SavedLetter = Awaited<ReturnType<typeof saveLetter>>;

/** Saves, tries and sends a letter. @returns its id and the number of members */
export async function sendLetter(admin: SupabaseClient, changes: Partial<typeof exampleLetter> = {}) {
  const letter = await saveLetter(admin, changes);
  await tryLetter(admin, letter).throwOnError();
  const { to_states, to_kind, to_field } = letter;
  const chosen = await admin.rpc("count_letter_recipients", { to_states, to_kind, to_field }).throwOnError();
  const expected = chosen.data.count as number;
  const call = { letter_id: letter.letter_id, expected, footer: exampleFooter, seen_version: letter.version };
  return { id: letter.letter_id, count: (await admin.rpc("send_letter", call).throwOnError()).data as number };
}

/** A member's turn to get a letter. */
export interface LetterTurn {
  letter_id: string;
  member_id: string;
  recipient?: string;
}

/** Claims the members whose turn it is, as a worker does. */
export async function claimLetters({ service }: TestBackend, per_hour = 1000): Promise<LetterTurn[]> {
  return (await service.rpc("claim_letter_recipients", { per_hour }).throwOnError()).data;
}

/** Queues the mails of these turns, in order. */
export async function queueLetters({ service }: TestBackend, turns: LetterTurn[]) {
  const mail = { subject: "A letter", body: "Text", closing: "Bye" };
  for (const { letter_id, member_id } of turns)
    await service.rpc("queue_letter_mail", { letter_id, member_id, mail }).throwOnError();
}

/** Returns a letter as its page shows it. */
export async function findLetter(admin: SupabaseClient, id: string) {
  return (await admin.rpc("find_letter", { letter_id: id }).throwOnError()).data as Record<string, unknown>;
}

/** Moves the ends of all letters' mails back, as an hour's passing would. */
export async function passHour({ sql }: TestBackend) {
  await sql(
    `update private.email_outbox set delivered_at = delivered_at - interval '61 minutes',
       gave_up_at = gave_up_at - interval '61 minutes' where kind = 'letter' returning 1 as ok`,
  );
}
