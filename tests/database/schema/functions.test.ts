import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

async function readAll(folder: string, isWanted: RegExp): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => isWanted.test(name));
  const files = names.toSorted().map((name) => readFile(join(folder, name), "utf8"));
  return (await Promise.all(files)).join("\n");
}

const nameOf = (statement: string) => /^create (?:or replace )?function \w+\.(\w+)/.exec(statement)?.[1];
const droppedBy = (statement: string) => /^drop function (?:if exists )?\w+\.(\w+)/.exec(statement)?.[1];

/**
 * Splits the migrations into statements, without functions that a later one replaces or drops. A statement begins at the
 * start of a line; its other lines are indented or begin with another word.
 */
async function readStatements(): Promise<string[]> {
  const migrations = (await readAll("supabase/migrations", /\.sql$/)).replaceAll(/--.*/g, "");
  const statements = migrations.split(
    /\n(?=(?:alter|comment|create|delete|do|drop|grant|insert|revoke|select|update)\b)/,
  );
  return statements.filter((statement, at) => {
    const name = nameOf(statement);
    const isReplaced = (later: string) => nameOf(later) === name || droppedBy(later) === name;
    return name === undefined || !statements.slice(at + 1).some(isReplaced);
  });
}

it("migrations define only functions that something calls", async () => {
  const isCode = /(?<!\.test)\.(?:tsx?|mjs|cjs|sql)$/;
  const code = await Promise.all(
    ["app", "bin", "supabase/functions", "supabase/embedded"].map((folder) => readAll(folder, isCode)),
  );
  const statements = (await readStatements()).filter((statement) => !/^(?:comment|grant|revoke)/.test(statement));
  const functions = statements.map(nameOf).filter((name) => name !== undefined);
  expect(functions.length).toBeGreaterThan(100);
  const uncalled = functions.filter((name) => {
    const call = new RegExp(`\\b${name}\\b`);
    // In its own body a function's name qualifies its parameters.
    const others = statements.filter((statement) => nameOf(statement) !== name);
    return ![...code, ...others].some((text) => call.test(text));
  });
  expect(uncalled).toEqual([]);
});

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

// A list, mail or deletion that forgot a restriction (GDPR, article 18) would read the table.
it.each([
  ["public.contact_submissions", readersOfMessages],
  ["public.network_members", readersOfMembers],
  ["private.personal_records", readersOfRecords],
])("only functions that must see restricted rows read %s instead of a view without them", async (table, readers) => {
  const reads = new RegExp(`\\b(?:from|join) ${table}\\b`);
  const found = (await readStatements()).filter((text) => reads.test(text) && !asksMayWrite.test(text));
  expect(found.flatMap((text) => nameOf(text) ?? []).toSorted()).toEqual(readers.split(" "));
});
