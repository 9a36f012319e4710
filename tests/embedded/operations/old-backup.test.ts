import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { productMigrations } from "#supabase/embedded/migrations.ts";
import { makeBackup } from "#supabase/embedded/operations/backups/backup.ts";
import { restoreBackup } from "#supabase/embedded/operations/backups/restore.ts";
import { verifyBackup } from "#supabase/embedded/operations/backups/verify.ts";
import { readMigrationsBeforeBaseline } from "../../database/support/before-baseline.ts";
import { makeEmptyFolder, startTestBackend } from "../support/start-backend.ts";
import { sendMessage, storedMessages } from "./site.ts";

it("a backup from before the baseline is found intact, restores, and is taken over by the next start", async () => {
  const [folder, dataDir] = await Promise.all([makeEmptyFolder(), makeEmptyFolder()]);
  const site = await startTestBackend({ migrations: await readMigrationsBeforeBaseline() });
  const id = await sendMessage(site);
  const { file } = await makeBackup(site.dataDir, join(folder, "backup.tar.gz"));
  await site.remove();

  const manifest = await verifyBackup(file);
  expect(manifest.migrations).toHaveLength(34);
  await restoreBackup(file, dataDir, { replace: false });
  const restored = await startTestBackend({ dataDir, migrations: productMigrations });
  expect(restored.events.map(({ event }) => event)).toContain("embedded.baseline-taken-over");
  expect(await storedMessages(restored)).toEqual(new Set([id]));
  await restored.remove();
  await rm(folder, { recursive: true, force: true });
});
