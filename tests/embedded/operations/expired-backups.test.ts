import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { removeExpiredBackups } from "#supabase/embedded/backups/expired-backups.ts";
import { runOperation } from "#supabase/embedded/operations/run-operation.ts";
import { runInProcess } from "../../support/commands/run-in-process.ts";
import { makeSiteFolder } from "../../support/site-folder.ts";
import { makeEmptyFolder } from "../support/start-backend.ts";

let elsewhere: string;
beforeEach(async () => void (elsewhere = await makeEmptyFolder()));
afterEach(() => rm(elsewhere, { recursive: true, force: true }));

/** Returns a name as the program gives it, with this age in days. */
function nameOf(kind: "backup" | "replaced", days: number): string {
  const at = new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
  return `${kind}-${at.replaceAll(/[:.]/g, "-")}${kind === "backup" ? ".tar.gz" : ""}`;
}

it("deletes expired backups and replaced content, reports them, and keeps other files", async () => {
  const dataDir = await makeSiteFolder();
  const backups = join(dataDir, "backups");
  await mkdir(backups);
  const [old, young] = [nameOf("backup", 8), nameOf("backup", 6)];
  const draft = `${nameOf("backup", 9)}.2f0c8a52-6a55-4d0e-9d7b-0c3f2d1e4b5a.tmp`;
  const foreign = ["monday.tar.gz", `my-${old}`, `${old}.gpg`, "backup-yesterday.tar.gz"];
  for (const name of [old, young, draft, ...foreign]) await writeFile(join(backups, name), "");
  const [oldReplaced, youngReplaced] = [nameOf("replaced", 8), nameOf("replaced", 6)];
  for (const name of [oldReplaced, youngReplaced]) await mkdir(join(dataDir, name, "pg"), { recursive: true });

  // In the operator's own folder, too, backups with the program's names are deleted.
  await writeFile(join(elsewhere, old), "");

  const settings = { DATA_DIR: dataDir, BACKUP_KEEP_DAYS: "7" };
  const { code, said } = await runInProcess(() => runOperation("backup", [elsewhere], settings));
  expect(code).toBe(0);
  expect((await readdir(backups)).toSorted()).toEqual([...foreign, young].toSorted());
  expect((await readdir(dataDir)).filter((name) => name.startsWith("replaced"))).toEqual([youngReplaced]);
  expect(said).toContain("Deleted because they were older than 7 days (BACKUP_KEEP_DAYS):");
  for (const name of [old, oldReplaced]) expect(said).toContain(name);
  const names = await readdir(elsewhere);
  expect(names).toHaveLength(2);
  expect(names).not.toContain(old);
});

it("keeps the newest backup at any age, and names it", async () => {
  const [newest, older] = [nameOf("backup", 8), nameOf("backup", 9)];
  for (const name of [newest, older]) await writeFile(join(elsewhere, name), "");
  const { deleted, outdated } = await removeExpiredBackups(elsewhere, 7);
  expect([deleted.length, outdated]).toEqual([1, join(elsewhere, newest)]);
  expect(await readdir(elsewhere)).toEqual([newest]);
});
