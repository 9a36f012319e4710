import fs from "node:fs";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseOptions } from "#supabase/embedded/folder/database.ts";
import { initializeInChild } from "#supabase/embedded/folder/initialize.ts";
import { runMaintenance } from "#supabase/embedded/housekeeping.ts";
import { EmbeddedConnection } from "#supabase/embedded/session/connection.ts";
import { Mutex } from "#supabase/embedded/session/mutex.ts";
import { clientOf } from "../support/client.ts";
import { makeEmptyFolder, makeFolder, startTestBackend } from "../support/start-backend.ts";

it("includes PostgreSQL's output in the error when initialization fails", async () => {
  const folder = await makeEmptyFolder();
  const file = join(folder, "a-file");
  await writeFile(file, "");
  await expect(initializeInChild(file, databaseOptions.startParams)).rejects.toThrow(/not be initialized \(1\)\. .+/s);
  await rm(folder, { recursive: true });
});

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
    await rm(dataDir, { recursive: true, force: true });
  });

  it("receives each acknowledged row on disk, not in a cache that a power cut clears", async () => {
    const backend = await startTestBackend({ dataDir, migrations: { "1_rows.sql": "create table rows (id int)" } });
    const service = clientOf(backend, backend.secretKey);
    syncs = 0;
    for (let id = 1; id <= 10; id += 1) await service.from("rows").insert({ id });
    expect(syncs).toBeGreaterThanOrEqual(10);
    syncs = 0;
    await Promise.all(Array.from({ length: 30 }, (_, i) => service.from("rows").insert({ id: 11 + i })));
    expect(syncs).toBeGreaterThanOrEqual(1);
    // Concurrent requests share a sync.
    expect(syncs).toBeLessThan(15);
    expect(await backend.sql("select count(*)::int as n from rows")).toEqual([{ n: 40 }]);
    expect(await backend.sql("select current_setting('fsync') as fsync")).toEqual([{ fsync: "on" }]);
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

  it("runs checkpoint and vacuum, so that the write-ahead log does not grow forever", async () => {
    const connection = new EmbeddedConnection(join(dataDir, "pg"), () => {});
    const database = connection.driver;
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
    const exitCode = process.exitCode;
    await connection.close();
    process.exitCode = exitCode;
  });
});

describe("migrations", () => {
  it("run once each, in order and atomically, and leave no setting behind", async () => {
    const first = {
      "../migrations/20260102000000_second.sql": "insert into public.steps values ('second'); set search_path = auth",
      "../migrations/20260101000000_first.sql":
        "create table public.steps (name text); insert into public.steps values ('first')",
    };
    const backend = await startTestBackend({ migrations: first });
    expect(await backend.sql("select name from steps")).toEqual([{ name: "first" }, { name: "second" }]);
    expect(await backend.sql("show search_path")).toEqual([{ search_path: "public" }]);
    await backend.close();

    const { dataDir } = backend;
    const broken = { "3_broken.sql": "insert into public.steps values ('third'); select no_such_function()" };
    await expect(startTestBackend({ dataDir, migrations: { ...first, ...broken } })).rejects.toThrow(
      /3_broken\.sql failed and was rolled back\. 42883/,
    );
    const twice = { "3_a.sql": "select 1", "3_b.sql": "select 1" };
    await expect(startTestBackend({ dataDir, migrations: twice })).rejects.toThrow(/version 3/);
    await expect(startTestBackend({ dataDir, migrations: { "nameless.sql": "" } })).rejects.toThrow(/not named/);

    const mended = { "3_mended.sql": "insert into public.steps values ('third')" };
    const again = await startTestBackend({ dataDir, migrations: { ...first, ...mended } });
    expect(await again.sql("select name from steps")).toHaveLength(3);
    expect(await again.sql("select version, name from supabase_migrations.schema_migrations order by 1")).toEqual([
      { version: "20260101000000", name: "first" },
      { version: "20260102000000", name: "second" },
      { version: "3", name: "mended" },
    ]);
    await again.remove();
  });

  it("reject a folder with another schema before any backup or change", async () => {
    const [one, two] = ["20260101000000_one.sql", "20260102000000_two.sql"];
    const sql = "create table public.steps (name text) -- a word";
    const made = await startTestBackend({ migrations: { [one]: sql, [two]: "select 1" } });
    await made.close();
    const { dataDir } = made;
    const start = (migrations: Record<string, string>) =>
      startTestBackend({ dataDir, migrations, backUp: () => Promise.reject(new Error("backed up")) });

    const others: Record<string, string>[] = [
      { [one]: sql.replace("text", "text not null"), [two]: "select 1" },
      { [two]: "select 1" },
      { "20260103000000_baseline.sql": "create table public.other (name text)" },
    ];
    for (const migrations of others) {
      await expect(start(migrations)).rejects.toThrow(
        /^This data folder has the schema of another version and was not changed\. Start it with the version that made it, or [^.]+\.$/,
      );
    }
    await expect(start({ [one]: sql, [two]: "select 1", "3_new.sql": "select 1" })).rejects.toThrow("backed up");

    const reworded = await start({
      [one]: "-- Steps.\ncreate table public.steps (\n  name text\n)",
      [two]: "select 1",
    });
    await reworded.close();
    await expect(start({ [one]: sql })).rejects.toThrow(/^A later version of this program upgraded this data folder/);
    await made.remove();
  });
});
