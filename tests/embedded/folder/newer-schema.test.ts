import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeFolder, startTestBackend, type TestBackend } from "../support/start-backend.ts";

const first = { "20990101000000_first.sql": "create table public.first (id integer);" };
const later = { ...first, "20990201000000_later.sql": "create table public.later (id integer);" };
const backup = "backup-2026-11-27T03-00-00-000Z.tar.gz";

let dataDir: string;
let upgraded: TestBackend | undefined;

beforeAll(async () => {
  dataDir = await makeFolder();
  await (await startTestBackend({ dataDir, migrations: first })).close();
  const backUp = async () => {
    await mkdir(join(dataDir, "backups"), { recursive: true });
    await writeFile(join(dataDir, "backups", backup), "");
  };
  upgraded = await startTestBackend({ dataDir, migrations: later, backUp });
  await upgraded.close();
});
afterAll(() => upgraded?.remove());

it("refuses a data folder of a later version, and names the backup made before the upgrade", async () => {
  const start = startTestBackend({ dataDir, migrations: first });
  await expect(start).rejects.toThrow(`restore ${join(dataDir, "backups", backup)} --replace`);
});

it("opens it again with the later version", async () => {
  const again = await startTestBackend({ dataDir, migrations: later });
  await again.close();
  expect(again.events.filter(({ level }) => level === "error")).toEqual([]);
});
