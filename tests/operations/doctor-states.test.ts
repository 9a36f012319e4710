import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { openControl } from "#supabase/embedded/control";
import { lockFolder } from "#supabase/embedded/folder/lock";
import { startEmbeddedTestBackend } from "../database/support/embedded-backend";
import { type ServerStatus, readStatus } from "~/server/backend/embedded/read-status.server";
import { siteVersion } from "~/lib/site-version";
import { findFreePort } from "../support/free-port";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";
import { diagnose, printed, resolveAt } from "./support/doctor";

let PORT: string;
beforeAll(async () => {
  PORT = String(await findFreePort());
});

const look = (dataDir: string) => diagnose({ DATA_DIR: dataDir, PORT }, { resolver: resolveAt() });

it("leaves the database of a stopped site to the start, and names a clock behind the newest backup", async () => {
  const dataDir = await makeSiteFolder();
  await mkdir(join(dataDir, "backups"));
  await writeFile(join(dataDir, "backups/backup-2099-01-01T00-00-00-000Z.tar.gz"), "");
  expect(await look(dataDir)).toEqual(
    printed(
      "not checked server: …Start it",
      "not checked database: …a start says what is wrong…Start it",
      "look at clock: …made a backup or its first start at 2099-01-01T00:00:00.000Z…set it: …“A clock that jumps”",
    ),
  );
});

const refuse = async () => Promise.reject(new Error("unused"));

/** Holds a new data folder until the test is over, as a server does that replies to `status` with this. */
async function hold(reply: object | null): Promise<string> {
  const dataDir = await makeDataDir();
  const lock = await lockFolder(dataDir);
  const handlers = { copyDatabase: refuse, runAdminCommand: refuse };
  const control = await openControl(
    dataDir,
    { ...handlers, ...(reply && { readStatus: async () => reply }) },
    () => {},
  );
  onTestFinished(async () => {
    await control.close();
    await lock.release();
  });
  return dataDir;
}

const status: ServerStatus = {
  version: siteVersion,
  uptimeSeconds: 90_000,
  postgresql: "18.7",
  settings: {},
  mail: null,
  letters: null,
  troubles: [],
};
const waits = { count: 1, oldestSeconds: 7_300, lastError: null };
const refused = { ...waits, lastError: "smtp-auth-535 535 5.7.8 No" };
const trouble = (cause: ServerStatus["troubles"][number]["cause"]) => [{ cause, since: "2026-11-28T02:43:00Z" }];

it.each<[line: string, changes: Partial<ServerStatus> | null]>([
  ["not checked running server: …starting or stopping, or another command … in a minute", null],
  ["fix waiting mail: …take 1 email, the oldest for 2 hours. /admin/mail", { mail: waits }],
  ["fix waiting mail: …(smtp-auth-535: “535 5.7.8 No”). …SMTP_USER and SMTP_PASSWORD", { mail: refused }],
  ["ok waiting mail: …take 1 letter", { letters: waits }],
  [
    "look at trouble: …Nov 28, 2026, 2:43 AM UTC: The server’s clock went back",
    { troubles: trouble("retention-waits") },
  ],
  ["fix trouble: …has not deleted the data", { troubles: trouble("retention-late") }],
])("prints of a server’s status “%s”", async (line, changes) => {
  expect(await look(await hold(changes && { ...status, ...changes }))).toEqual(printed(line));
});

it("does not read the state of another version", async () => {
  const lines = await look(await hold({ version: "9.9.9" }));
  expect(lines).toEqual(printed("not checked running server: …another version… Restart the server"));
});

it("counts mail that waits for the mail server, apart from letters and from mail that waits for a limit", async () => {
  const backend = await startEmbeddedTestBackend();
  await backend.sql(`
    insert into private.email_outbox (kind, recipient, subject, body, created_at, line, last_error, attempted_at, forget_when_delivered)
    values
      ('trouble', null, 's', 'b', now() - interval '3 hours', null, 'smtp-451 451 No', now() - interval '2 hours', true),
      ('trouble', null, 's', 'b', now() + interval '1 day', null, 'smtp-421 421 Busy', now(), true),
      ('trouble', null, 's', 'b', now() - interval '9 hours', '', null, null, true)`);
  const state = await readStatus(backend.sql, { PORT: "digest" });
  expect(state).toMatchObject({
    mail: { count: 2, lastError: "smtp-421 421 Busy" },
    letters: null,
    postgresql: expect.stringMatching(/^18\./),
    settings: { PORT: "digest" },
    troubles: [],
  });
  expect(state.mail?.oldestSeconds).toBeGreaterThanOrEqual(3 * 3_600);
});
