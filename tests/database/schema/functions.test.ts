import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";

/** Functions with their code, without its comments. Triggers, views, defaults or indexes use those with `is_used`. */
const ownFunctions = `
  select proname as name, regexp_replace(prosrc, '--[^\\n]*', '', 'g') as code,
    exists (select from pg_depend where refobjid = pg_proc.oid and deptype in ('n', 'a')) as is_used
  from pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace) order by proname`;

async function readCode(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => /(?<!\.test)\.(?:tsx?|mjs|cjs|sql)$/.test(name));
  return Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
}

/** Functions that must see restricted messages: they lock first, serve the person's rights, or settle mail. */
const readersOfMessages =
  "count_mentions count_subject delete_submission erase_subject export_subject_data " +
  "find_request lock_submission resend_message_mail save_reply_draft send_reply settle_mails take_back_reply";

/** The same for members, with the member's own page and its links, and retention, whose `apply_to_due` skips them. */
const readersOfMembers =
  "claim_due_mail correct_record count_subject erase_subject export_subject_data " +
  "find_linked_member find_mail_state find_membership find_request keep_retention " +
  "lock_linked_member release_waiting_mail remove_member send_waiting_mail settle_mails";

/** The same for the view of all three tables: they find the mails of a person, or hold them back. */
const readersOfRecords = "find_mails_of is_asked_for is_frozen";

/** Functions that decide by `may_write`, which knows of the restriction. */
const asksMayWrite = /\b(?:may_write|may_mail_again|due_network_mail)\(/;

eachBackend("functions", (backend) => {
  const readFunctions = () => backend.sql<{ name: string; code: string; is_used: boolean }>(ownFunctions);

  it("exist only if something calls them", async () => {
    const functions = await readFunctions();
    const code = await Promise.all(["app", "bin", "supabase/functions", "supabase/embedded"].map(readCode));
    const uncalled = functions.filter(({ name, is_used }) => {
      // In its own body a function's name qualifies its parameters.
      const others = functions.flatMap((other) => (other.name === name ? [] : other.code));
      return !is_used && ![...code.flat(), ...others].some((text) => new RegExp(`\\b${name}\\b`).test(text));
    });
    // Its migration calls this one.
    expect(uncalled.map(({ name }) => name)).toEqual(["schedule_retention"]);
  });

  // A list, mail or deletion that forgot a restriction (GDPR, article 18) would read the table.
  it.each([
    ["public.contact_submissions", readersOfMessages],
    ["public.network_members", readersOfMembers],
    ["private.personal_records", readersOfRecords],
  ])("read %s only if they must see restricted rows", async (table, readers) => {
    const reads = new RegExp(`\\b(?:from|join) ${table}\\b`);
    const found = (await readFunctions()).filter(({ code }) => reads.test(code) && !asksMayWrite.test(code));
    expect(found.map(({ name }) => name)).toEqual(readers.split(" "));
  });
});
