import { readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { productMigrations } from "#supabase/embedded/migrations";
import { verifyBackup } from "#supabase/embedded/backups/verify";
import { makeFolder, startTestBackend } from "../../embedded/support/start-backend";
import { withDatabaseOf } from "../../support/find-text";
import { startEarly } from "../support/early-product";

const polling = { timeout: 120_000, interval: 20 };
const names = Object.keys(productMigrations).toSorted();
const newest = /(\d{14})_/.exec(names.at(-1) ?? "")?.[1] ?? "";

it("backs up before new migrations or changes nothing, even after a kill", async () => {
  const dataDir = await makeFolder();
  const backups = join(dataDir, "backups");
  const before = await startTestBackend({
    dataDir,
    migrations: Object.fromEntries(names.slice(0, -1).map((name) => [name, productMigrations[name] ?? ""])),
  });
  await before.close();
  const list = async () => (await readdir(backups).catch(() => [])).filter((name) => name.startsWith("backup-"));
  const hasNewest = async () => {
    const find = "select 1 from supabase_migrations.schema_migrations where version = $1";
    return (await withDatabaseOf(dataDir, (sql) => sql(find, [newest]))).length > 0;
  };

  await writeFile(backups, "");
  const unusable = await startEarly(dataDir, { BACKUP_EVERY: "1d" });
  expect(await unusable.ended).toBe(1);
  expect(unusable.output()).toMatch(
    /needs new migrations.* nothing was changed\. The backups folder \S+ is not a folder/,
  );
  expect(await hasNewest()).toBe(false);
  await rm(backups);

  // A file that cannot be copied.
  await symlink("/nowhere", join(dataDir, "strange"));
  const refused = await startEarly(dataDir, { BACKUP_EVERY: "1d" });
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain("no backup could be made before them");
  expect(await hasNewest()).toBe(false);
  await rm(join(dataDir, "strange"));

  const killed = await startEarly(dataDir, { BACKUP_EVERY: "1d" });
  await expect.poll(list, polling).toEqual([expect.stringMatching(/\.tmp$/)]);
  killed.signal("SIGKILL");
  await killed.ended;
  expect(killed.output()).not.toContain("backups.made");
  expect(await hasNewest()).toBe(false);

  const started = await startEarly(dataDir, { BACKUP_EVERY: "1d" });
  await started.ready;
  expect(started.output()).toMatch(/"backups\.made".*"reason":"migrations"/);
  const [made = ""] = await list();
  expect(await list()).toEqual([expect.stringMatching(/^backup-.{24}\.tar\.gz$/)]);
  expect((await readdir(dataDir)).filter((name) => name.startsWith("snapshot"))).toEqual([]);
  started.signal("SIGTERM");
  expect(await started.ended).toBe(0);
  expect(await hasNewest()).toBe(true);
  expect((await verifyBackup(join(backups, made))).migrations).not.toContain(newest);
});
