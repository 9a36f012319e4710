import { readFile } from "node:fs/promises";
import { join as joinPath } from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addToErasureList, type Tombstone, tombstonesQuery } from "#supabase/embedded/backups/erasure-list.ts";
import { makeBackup } from "#supabase/embedded/backups/backup.ts";
import { restoreBackup } from "#supabase/embedded/backups/restore.ts";
import { receiveConfirmed, sampleMail } from "../../database/support/data-rights.ts";
import { claimLetters, findLetter, queueLetters, sendLetter } from "../../database/support/letters.ts";
import { listMails, settleMail } from "../../database/support/mail.ts";
import {
  ask,
  byToken,
  countDepartures,
  findMember,
  join,
  tokenOf,
  useNetwork,
} from "../../database/support/network.ts";
import type { TestBackend as DatabaseBackend } from "../../database/support/test-backend.ts";
import { findTablesWith } from "../../support/find-text.ts";
import { makeDataDir } from "../../support/site-folder.ts";
import { startTestBackend, type TestBackend } from "../support/start-backend.ts";
import { startSite } from "./site.ts";

const leaver = "leaver@example.com";
const withdrawn = "withdrawn@example.com";
const erased = "erased@example.com";
const keeper = "keeper@example.com";
const rejoiner = "rejoiner@example.com";
const returning = "returning@example.com";
const waiting = "waiting@example.com";

/** Members who stop mail, or take it back, before and after the backup, and those with their letter before it. */
const mailWishes = {
  "stopper@example.com": { before: [], after: ["stop"], isStopped: true },
  "early@example.com": { before: ["stop"], after: [], isStopped: true },
  "back@example.com": { before: ["stop"], after: ["resume"], isStopped: false },
  "unsure@example.com": { before: [], after: ["stop", "resume"], isStopped: false },
  "twice@example.com": { before: ["stop", "resume"], after: ["stop", "resume", "stop"], isStopped: true },
} as const;
const readers = ["reader-1@example.com", "reader-2@example.com", "reader-3@example.com"];

let folder: string;
let links: { page: string; letter: string };
let asking: { token: string };
let linkTimes: { email: string; at: string }[];
let restored: DatabaseBackend;
let erasures: { again: number; letters: number };
let letter: Record<string, unknown>;

const refuse = () => Promise.reject(new Error("no test here calls it"));

/** Passes a backend to the helpers of the database tests. */
const asDatabase = (backend: TestBackend): DatabaseBackend => ({
  ...backend,
  exec: refuse,
  signIn: refuse,
});

/** Queues the mails of letters to these members, and settles them. */
async function deliverLetterTo(database: DatabaseBackend, emails: string[], outcome = "delivered") {
  const turns = await claimLetters(database);
  await queueLetters(
    database,
    turns.filter(({ recipient = "" }) => emails.includes(recipient)),
  );
  const mails = await listMails(database, "kind = 'letter' and recipient = any ($1)", [emails]);
  for (const mail of mails) await settleMail(database, mail, outcome).throwOnError();
}

const readLinkTimes = (backend: DatabaseBackend) =>
  backend.sql<{ email: string; at: string }>(
    "select email, page_link_at::text as at from public.network_members where email = any ($1) order by email",
    [[keeper, waiting]],
  );

async function signInAdmin(backend: TestBackend): Promise<SupabaseClient> {
  await backend.sql(
    "insert into public.user_roles (user_id, role) select id, 'admin' from auth.users on conflict do nothing",
  );
  return backend.client((await backend.signIn()).access_token);
}

beforeAll(async () => {
  folder = await makeDataDir();
  const site = await startSite();
  const database = asDatabase(site);
  // As the server does after each departure.
  const listDepartures = async () => {
    const tombstones = await site.sql<Tombstone>(tombstonesQuery);
    const known = { tombstones, readAt: new Date().toISOString() };
    await addToErasureList(folder, known, { signingKey: undefined, isOwn: true });
  };
  const leave = (token: string) => byToken(database, "leave_network", token);
  await leave((await join(database, { email: rejoiner })).token);
  // The list keeps this departure, although joining anew clears it in the database.
  await listDepartures();

  await join(database, { email: rejoiner });
  const { token: page } = await join(database, { email: keeper });
  links = { page, letter: await tokenOf(database, keeper, "letter") };
  const leaving = await join(database, { email: leaver });
  const withdrawing = await ask(database, { email: withdrawn });
  asking = await ask(database, { email: waiting });
  const back = await join(database, { email: returning });
  await join(database, { email: erased });
  const request = await receiveConfirmed(database, { email: erased, type: "erasure" });
  const admin = await signInAdmin(site);
  for (const email of [...Object.keys(mailWishes), ...readers]) await join(database, { email });
  const wish = async (moment: "before" | "after") => {
    for (const [email, wishes] of Object.entries(mailWishes))
      for (const kind of wishes[moment]) {
        const name = kind === "stop" ? "unsubscribe_member" : "resubscribe_member";
        const token = await tokenOf(database, email, kind === "stop" ? "letter" : "page");
        await database.client().rpc(name, { token }).throwOnError();
      }
  };
  await wish("before");
  const sent = await sendLetter(admin);
  await deliverLetterTo(database, [readers[0]!]);
  await deliverLetterTo(database, [readers[1]!], "retry");
  linkTimes = await readLinkTimes(database);
  const { file } = await makeBackup(site.dataDir, joinPath(folder, "backup.tar.gz"));

  await wish("after");
  await deliverLetterTo(database, [readers[1]!, readers[2]!]);
  await leave(leaving.token);
  await leave(withdrawing.token);
  await leave(back.token);
  await listDepartures();
  await join(database, { email: returning });
  await admin.rpc("erase_subject", { request_id: request.id, mail: sampleMail }).throwOnError();
  // After a leak, an operator changes the key: links to pages end, and letters' later.
  await site.sql("select private.change_link_key() as ok");
  await listDepartures();
  await site.close();

  const target = joinPath(folder, "target");
  ({ erasures } = await restoreBackup(file, target, { replace: false }));
  const backend = await startTestBackend({ dataDir: target });
  restored = asDatabase(backend);
  letter = await findLetter(await signInAdmin(backend), sent.id);
});
afterAll(() => restored?.close());

it("brings nobody back who left, withdrew or was erased after the backup", async () => {
  for (const email of [leaver, withdrawn, erased]) {
    expect([email, await findMember(restored, email)]).toEqual([email, undefined]);
    expect([email, await useNetwork(restored).readMails(email)]).toEqual([email, []]);
  }
  expect(await findTablesWith(restored.sql, erased)).toEqual([]);
  expect(await countDepartures(restored, leaver)).toBe(1);
  expect(erasures.again).toBe(4);
});

it("keeps members who stayed, and a membership that is newer than the departure", async () => {
  for (const email of [keeper, rejoiner])
    expect(await findMember(restored, email)).toMatchObject({ state: "confirmed" });
  expect(await countDepartures(restored, rejoiner)).toBe(0);
  // Their newer membership is not in the backup. They are not members until they join anew.
  expect(await findMember(restored, returning)).toBeUndefined();
});

it("revives no link to a page that ended after the backup, and keeps letters stopping mail", async () => {
  expect(await byToken(restored, "find_membership", links.page)).toBeNull();
  // Even with the old key: it carries the time of the backup. The link of a person who has yet to confirm stays.
  const [kept, waits] = await readLinkTimes(restored);
  expect([kept?.at === linkTimes[0]?.at, waits]).toEqual([false, linkTimes[1]]);
  expect(await byToken(restored, "find_membership", asking.token)).toBeNull();
  const [key] = await restored.sql<{ n: number }>(
    "select count(*)::int as n from private.link_keys where ended_at is null",
  );
  expect(key).toEqual({ n: 0 });
  expect(await tokenOf(restored, keeper, "letter")).not.toBe(links.letter);
  expect((await restored.client().rpc("unsubscribe_member", { token: links.letter })).data).toBe(true);
});

it.each(Object.entries(mailWishes))("keeps the last wish of %s about mail", async (email, { isStopped }) => {
  const member = await findMember(restored, email);
  expect([member?.state, typeof member?.unsubscribed_at === "string"]).toEqual(["confirmed", isStopped]);
});

it("stops the letter that was under way, says so, and mails it to no one", async () => {
  expect(erasures.letters).toBe(1);
  // As far as the backup knows.
  expect(letter).toMatchObject({ state: "stopped", stopped_by_restore: true, delivered: 1, waiting: 0, unsent: 0 });
  expect(await claimLetters(restored)).toEqual([]);
  expect(await listMails(restored, "kind = 'letter' and delivered_at is null")).toEqual([]);
});

it("lists departures without an address", async () => {
  const list = await readFile(joinPath(folder, "erasures.json"), "utf8");
  expect(list.match(/"NW-/g)).toHaveLength(4);
  expect(list.match(/"DR-/g)).toHaveLength(1);
  expect(list.match(/"ST-/g)).toHaveLength(7);
  expect(list).not.toContain("example.com");
});
