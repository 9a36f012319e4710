import { Resolver } from "node:dns/promises";
import { mkdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ControlHandlers, openControl } from "#supabase/embedded/control";
import { lockFolder } from "#supabase/embedded/folder/lock";
import { markReady } from "#supabase/embedded/folder/marker.ts";
import { withDatabase } from "#supabase/embedded/operations/read-database";
import { startEmbeddedTestBackend } from "../database/support/embedded-backend";
import type { Verdict } from "~/server/commands/doctor/finding.server";
import { type ServerStatus, readStatus } from "~/server/backend/embedded/read-status.server";
import { siteVersion } from "~/lib/site-version";
import { findFreePort } from "../support/free-port";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";
import { diagnose, lineOf } from "./support/doctor";

/** A name server that does not respond: these tests are not about DNS. */
const resolver = new Resolver({ timeout: 200, tries: 1 });
resolver.setServers(["127.0.0.1:9"]);

const refuse = async () => Promise.reject(new Error("unused"));

let PORT: string;
beforeAll(async () => {
  PORT = String(await findFreePort());
});

type State = [state: string, verdict: Verdict, name: string, line: RegExp];

const write = (dataDir: string, statement: string) =>
  withDatabase(join(dataDir, "pg"), async (database) => void (await database.exec(statement)));
const restore = (plan: string) => async (dataDir: string) => {
  await mkdir(join(dataDir, "restore.ready"));
  await writeFile(join(dataDir, "restore.ready/plan.json"), plan);
};

describe("while no server runs, the doctor says what a start would say of", () => {
  it.each<[...State, (dataDir: string) => Promise<void>]>([
    ["a sound database", "ok", "database", /A start can open it\./, async () => {}],
    [
      "the schema of another version",
      "fix",
      "database",
      /has the schema of another version and was not changed\. This version cannot take its data along/,
      (dataDir) => write(dataDir, "update supabase_migrations.schema_migrations set statements = array['select 1']"),
    ],
    [
      "the schema of a later version",
      "fix",
      "database",
      /A later version of this program upgraded this data folder.* Start the later version, or restore/,
      (dataDir) => write(dataDir, "insert into supabase_migrations.schema_migrations values ('99991231000000')"),
    ],
    [
      "another PostgreSQL",
      "fix",
      "database",
      /another PostgreSQL \(version 16; .* Move it away/,
      (dataDir) => writeFile(join(dataDir, "pg/PG_VERSION"), "16\n"),
    ],
    [
      "an empty pg_control",
      "fix",
      "database",
      /\/pg cannot be opened|A start cannot open it/,
      (dataDir) => truncate(join(dataDir, "pg/global/pg_control")),
    ],
    [
      "a backup that was made later than now",
      "look at",
      "clock",
      /made a backup or its first start at 2099-01-01T00:00:00\.000Z.*set it: .*“A clock that jumps”/,
      async (dataDir) => {
        await mkdir(join(dataDir, "backups"), { recursive: true });
        await writeFile(join(dataDir, "backups/backup-2099-01-01T00-00-00-000Z.tar.gz"), "");
      },
    ],
    [
      "no database",
      "not checked",
      "database",
      /first start/,
      (dataDir) => rm(join(dataDir, "pg"), { recursive: true }),
    ],
    [
      "a lost database",
      "fix",
      "database",
      /\/pg is missing although a site ran here, .* remove \S+started\.json/,
      async (dataDir) => {
        await markReady(dataDir);
        await rm(join(dataDir, "pg"), { recursive: true });
      },
    ],
    [
      "a restore that is not finished",
      "look at",
      "restore",
      /not finished\. Start the server, which finishes it/,
      restore('{"names":["pg"],"replaced":"replaced-2026-01-01"}'),
    ],
    [
      "a damaged restore",
      "fix",
      "database",
      /restore\.ready holds a restore that was not finished, and its plan is damaged\. .*site\.mjs restore/,
      restore("{"),
    ],
  ])("%s", async (_state, verdict, name, line, change) => {
    const dataDir = await makeSiteFolder();
    await change(dataDir);
    const diagnosis = await diagnose({ DATA_DIR: dataDir, PORT }, { resolver });
    expect(lineOf(diagnosis, verdict, name)).toMatch(line);
    expect(lineOf(diagnosis, "not checked", "server")).toContain("Start it");
  });
});

describe("the doctor repeats what a server says of itself:", () => {
  let close: (() => Promise<void>) | undefined;
  afterEach(() => close?.());

  /** Holds a new data folder as a server does, which replies to `status` with this. */
  async function hold(describeServer: ControlHandlers["readStatus"]): Promise<string> {
    const dataDir = await makeDataDir();
    const lock = await lockFolder(dataDir);
    const handlers = { copyDatabase: refuse, runAdminCommand: refuse, readStatus: describeServer };
    const control = await openControl(dataDir, handlers, () => {});
    close = async () => {
      await control.close();
      await lock.release();
    };
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
    hasBackupFailed: false,
  };
  const waits = { count: 1, oldestSeconds: 7_300, lastError: null };
  const since = "2026-11-28T02:43:00Z";

  it.each<[...State, object | null]>([
    ["nothing", "not checked", "running server", /starting or stopping, or another command .* in a minute/, null],
    [
      "the state of another version",
      "not checked",
      "running server",
      /another version.* Restart the server/,
      { version: "9.9.9" },
    ],
    [
      "mail of two hours",
      "fix",
      "waiting mail",
      /take 1 email, the oldest for 2 hours\. \/admin\/mail/,
      { ...status, mail: waits },
    ],
    [
      "why mail waits",
      "fix",
      "waiting mail",
      /\(smtp-auth-535: “535 5\.7\.8 No”\)\. .*SMTP_USER and SMTP_PASSWORD/,
      { ...status, mail: { ...waits, lastError: "smtp-auth-535 535 5.7.8 No" } },
    ],
    ["letters that wait", "ok", "waiting mail", /take 1 letter/, { ...status, letters: waits }],
    [
      "that the clock jumped",
      "look at",
      "trouble",
      /Nov 28, 2026, 2:43 AM UTC: The server’s clock went back/,
      { ...status, troubles: [{ cause: "retention-waits", since }] },
    ],
    [
      "that data is kept too long",
      "fix",
      "trouble",
      /has not deleted the data/,
      { ...status, troubles: [{ cause: "retention-late", since }] },
    ],
    [
      "a backup that failed and could not be noted",
      "fix",
      "backups",
      /The last attempt failed\. There is none/,
      { ...status, hasBackupFailed: true },
    ],
  ])("%s", async (_state, verdict, name, line, reply) => {
    const dataDir = await hold(reply === null ? undefined : async () => reply);
    const diagnosis = await diagnose({ DATA_DIR: dataDir, PORT }, { resolver });
    expect(lineOf(diagnosis, verdict, name)).toMatch(line);
  });
});

it("a server counts mail that waits for the mail server, apart from letters and from mail that waits for a limit", async () => {
  const backend = await startEmbeddedTestBackend();
  await backend.sql(`
    insert into private.email_outbox (kind, recipient, subject, body, created_at, line, last_error, attempted_at, forget_when_delivered)
    values
      ('trouble', null, 's', 'b', now() - interval '3 hours', null, 'smtp-451 451 No', now() - interval '2 hours', true),
      ('trouble', null, 's', 'b', now() + interval '1 day', null, 'smtp-421 421 Busy', now(), true),
      ('trouble', null, 's', 'b', now() - interval '9 hours', '', null, null, true)`);
  const state = await readStatus(backend.sql, { PORT: "digest" }, false);
  expect(state).toMatchObject({
    mail: { count: 2, lastError: "smtp-421 421 Busy" },
    letters: null,
  });
  expect(state.mail?.oldestSeconds).toBeGreaterThanOrEqual(3 * 3_600);
  expect(state).toMatchObject({
    postgresql: expect.stringMatching(/^18\./),
    settings: { PORT: "digest" },
    troubles: [],
  });
});
