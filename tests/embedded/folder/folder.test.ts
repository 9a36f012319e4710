import fs from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { PGlite } from "@electric-sql/pglite";
import { postgresqlVersion } from "~/lib/site-version.ts";
import { databaseOptions, prepareDatabaseFolder } from "#supabase/embedded/folder/database.ts";
import { initializeInChild } from "#supabase/embedded/folder/initialize.ts";
import type { BackendEvent } from "#supabase/embedded/log.ts";
import { runMaintenance } from "#supabase/embedded/housekeeping.ts";
import { applyMigrations, type Migrations, readSchemaState } from "#supabase/embedded/migrations.ts";
import { openDatabase } from "#supabase/embedded/session/open-database.ts";
import { Mutex } from "#supabase/embedded/session/mutex.ts";
import { makeDataDir } from "../../support/site-folder.ts";
import { addRow, makeFolder, startTestBackend } from "../support/start-backend.ts";

it("includes PostgreSQL's output in the error when initialization fails", async () => {
  const file = join(await makeDataDir(), "a-file");
  await writeFile(file, "");
  await expect(initializeInChild(file, databaseOptions.startParams)).rejects.toThrow(/not be initialized \(1\)\. .+/s);
});

it("logs that making a database takes over half a minute", async () => {
  const stopping = new AbortController();
  const events: BackendEvent[] = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const prepared = prepareDatabaseFolder(await makeDataDir(), (event) => void events.push(event), stopping.signal);
  await expect.poll(() => [vi.advanceTimersByTime(30_000), events[0]?.cause]).toContain("new-database");
  vi.useRealTimers();
  stopping.abort();
  await expect(prepared).rejects.toThrow("aborted");
});

it("refuses to start when PGlite ignores what enables fsync, or passes its statements through another method", async () => {
  const dataDir = await makeFolder();
  const { startParams } = databaseOptions;
  onTestFinished(() => void (databaseOptions.startParams = startParams));
  databaseOptions.startParams = ["--single", "-F", ...startParams.slice(1)];
  await expect(startTestBackend({ dataDir })).rejects.toThrow("PGlite has no option startParams");
  const method = Object.getOwnPropertyDescriptor(PGlite.prototype, "execProtocolStream")!;
  onTestFinished(() => void Object.defineProperty(PGlite.prototype, "execProtocolStream", method));
  Reflect.deleteProperty(PGlite.prototype, "execProtocolStream");
  await expect(startTestBackend({ dataDir })).rejects.toThrow("PGlite has no PGlite.prototype.execProtocolStream,");
});

const migrations: Migrations = {
  "../migrations/20260102000000_second.sql": "insert into public.steps values ('second'); set search_path = auth",
  "../migrations/20260101000000_first.sql":
    "create table public.steps (name text); insert into public.steps values ('first')",
  "1_rows.sql": `create table public.rows (id int); ${addRow}`,
};

const otherSchema =
  /^The data folder \S+ has the schema of another version and was not changed\. .* \(`\S+ \S+ backup`, .*set DATA_DIR\.$/;

describe("the data folder", () => {
  let dataDir: string;
  const fsyncSync = fs.fsyncSync;
  let syncs = 0;

  beforeAll(async () => {
    dataDir = await makeFolder();
    fs.fsyncSync = (file) => {
      syncs += 1;
      fsyncSync(file);
    };
    syncBuiltinESMExports();
  });
  afterAll(async () => {
    fs.fsyncSync = fsyncSync;
    syncBuiltinESMExports();
  });

  it("receives each acknowledged row on disk, not in a cache that a power cut clears", async () => {
    const backend = await startTestBackend({ dataDir, migrations: { "1_rows.sql": migrations["1_rows.sql"] ?? "" } });
    syncs = 0;
    for (let id = 1; id <= 10; id += 1) await backend.service.rpc("add_row", { id });
    expect(syncs).toBeGreaterThanOrEqual(10);
    expect(await backend.sql("select count(*)::int as n from rows")).toEqual([{ n: 10 }]);
    expect(await backend.sql("show server_version")).toEqual([{ server_version: postgresqlVersion }]);
    await backend.close();
  });

  it("makes keys and database readable by their owner only, and rejects a damaged key file", async () => {
    const path = join(dataDir, "secrets.json");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, "pg"))).mode & 0o777).toBe(0o700);
    const intact = await readFile(path, "utf8");
    await writeFile(path, intact.slice(0, 40));
    await expect(startTestBackend({ dataDir })).rejects.toThrow(/secrets\.json is damaged/);
    await writeFile(path, intact);
  });

  describe("its database, open", () => {
    let database: PGlite;
    beforeAll(() => void (database = openDatabase(join(dataDir, "pg"))));
    afterAll(() => database.close());

    it("runs checkpoint and vacuum, so that the write-ahead log does not grow forever", async () => {
      await database.exec("insert into rows select i from generate_series(1, 1000) i; delete from rows where id > 10");
      await database.exec("select pg_stat_force_next_flush()");
      const dead = "select n_dead_tup::int as n from pg_stat_user_tables where relname = 'rows'";
      const pages = "select relpages, reltuples from pg_class where relname = 'rows'";
      const redo = "select redo_lsn from pg_control_checkpoint()";
      const before = await database.query(redo);
      await runMaintenance(database, new Mutex());
      expect((await database.query(redo)).rows).not.toEqual(before.rows);
      expect((await database.query(pages)).rows).toEqual([{ relpages: 1, reltuples: 20 }]);
      expect((await database.query(dead)).rows).toEqual([{ n: 0 }]);

      const addAndKeepHouse = async (count: number) => {
        await database.exec(
          `insert into rows select i from generate_series(1, ${count}) i; select pg_stat_force_next_flush()`,
        );
        await runMaintenance(database, new Mutex());
        const left = "select n_ins_since_vacuum::int as n from pg_stat_user_tables where relname = 'rows'";
        return (await database.query<{ n: number }>(left)).rows[0]?.n;
      };
      expect(await addAndKeepHouse(900), "too few rows, and vacuumed today").toBe(900);
      expect(await addAndKeepHouse(100), "a thousand rows").toBe(0);

      // A table that cannot be analyzed must not stop the others or the checkpoint.
      await database.exec(`
        create function fail(i int) returns int immutable language plpgsql as
          $$ begin if current_setting('test.fail', true) = 'on' then raise exception 'it fails'; end if; return i; end $$;
        create table aaa_broken (i int);
        create index on aaa_broken (fail(i));
        insert into aaa_broken select generate_series(1, 1000);
        set test.fail = 'on'`);
      const beforeFailure = await database.query(redo);
      await expect(addAndKeepHouse(1000)).rejects.toThrow("it fails");
      expect((await database.query(redo)).rows).not.toEqual(beforeFailure.rows);
      expect((await database.query(dead)).rows).toEqual([{ n: 0 }]);
      await database.exec("reset test.fail");
    });

    it("runs migrations once each, in order and atomically, and leaves no setting behind", async () => {
      const steps = async () => (await database.query<{ name: string }>("select name from steps")).rows;
      await applyMigrations(database, migrations);
      expect(await steps()).toEqual([{ name: "first" }, { name: "second" }]);
      expect((await database.query("show search_path")).rows).toEqual([{ search_path: "public" }]);

      const broken = { "3_broken.sql": "insert into public.steps values ('third'); select no_such_function()" };
      await expect(applyMigrations(database, { ...migrations, ...broken })).rejects.toThrow(
        /3_broken\.sql failed and was rolled back\. 42883/,
      );
      await applyMigrations(database, { ...migrations, "3_mended.sql": "insert into public.steps values ('third')" });
      expect(await steps()).toHaveLength(3);
      const record = "select version, name from supabase_migrations.schema_migrations order by 1";
      expect((await database.query(record)).rows).toEqual([
        { version: "1", name: "rows" },
        { version: "20260101000000", name: "first" },
        { version: "20260102000000", name: "second" },
        { version: "3", name: "mended" },
      ]);
      await database.exec("delete from supabase_migrations.schema_migrations where version = '3'");
    });

    it("has another schema when a migration differs in more than layout", async () => {
      const [second, first, rows] = Object.keys(migrations) as [string, string, string];
      const read = (changes: Migrations) => readSchemaState(database, { ...migrations, ...changes });
      const { [first]: _, ...lacking } = migrations;
      for (const other of [read({ [rows]: "create table other (id int)" }), readSchemaState(database, lacking)])
        expect(await other).toMatchObject({ isOther: true });
      expect(await read({ [rows]: `-- Rows.\n${migrations[rows]?.replace("(id", "(\n  id")}` })).toMatchObject({
        missing: 0,
        isOther: false,
      });
      expect(await read({ "3_new.sql": "select 1" })).toMatchObject({ missing: 1, newest: "20260102000000" });
      const { [second]: __, ...earlier } = migrations;
      expect((await readSchemaState(database, earlier)).isNewer).toBe(true);
    });
  });

  const start = (changes: Migrations) =>
    startTestBackend({
      dataDir,
      migrations: { ...migrations, ...changes },
      backUp: () => Promise.reject(new Error("backed up")),
    });

  it("is rejected with another schema before any backup, and backed up before new migrations", async () => {
    await expect(start({ "1_rows.sql": "create table other (id int)" })).rejects.toThrow(otherSchema);
    await expect(start({ "3_new.sql": "select 1" })).rejects.toThrow("backed up");
  });

  it("of a later version is refused with the backup made before the upgrade, and opens with that version", async () => {
    const later = { ...migrations, "20990201000000_later.sql": "create table public.later (id integer);" };
    const backup = join(dataDir, "backups", "backup-2026-11-27T03-00-00-000Z.tar.gz");
    const backUp = async () => {
      await mkdir(join(backup, ".."));
      await writeFile(backup, "");
    };
    await (await startTestBackend({ dataDir, migrations: later, backUp })).close();
    await expect(startTestBackend({ dataDir, migrations })).rejects.toThrow(`restore ${backup} --replace`);
    const again = await startTestBackend({ dataDir, migrations: later });
    await again.close();
    expect(again.events.filter(({ level }) => level === "error")).toEqual([]);
  });
});
