import { join, resolve } from "node:path";
import { commandLine, quotePath } from "../../../app/lib/command-line.ts";
import { MigrationFailed, type SchemaState } from "../migrations.ts";
import { backupsFolder } from "../folder/data-folder.ts";
import { readRecord, writeRecord } from "./backup-status.ts";
import { findNewestBackup } from "./expired-backups.ts";
import { readMarker } from "../folder/marker.ts";

/** Records the backup that was just made as the way back from the migrations that follow. */
export async function recordUpgrade(dataDir: string, newest: string): Promise<void> {
  const made = await findNewestBackup(join(dataDir, backupsFolder), Date.now());
  if (made === null) return;
  const upgrades = [...(await readUpgrades(dataDir)), { backup: made.name, newest }];
  await writeRecord(join(dataDir, backupsFolder), "upgrades.json", upgrades);
}

/** @throws MigrationFailed when another version of this program made the database; the message says how to proceed */
export async function requireOwnSchema(dataDir: string, { isOther, isNewer, newest }: SchemaState): Promise<void> {
  if (isOther) throw await explainOtherSchema(dataDir);
  if (!isNewer) return;
  const backup = (await readUpgrades(dataDir)).findLast((upgrade) => upgrade.newest === newest)?.backup;
  const way = backup
    ? `Start the later version, or go back to the data of this version: ${commandLine(`restore ${quotePath(join(resolve(dataDir), backupsFolder, backup))} --replace`)}. ` +
      "That loses what came in after that backup."
    : "Start the later version, or restore a backup that this version made.";
  throw new MigrationFailed(
    `A later version of this program upgraded this data folder, and this version could damage its data. ${way}`,
  );
}

/** Explains that the migrations of a database differ from this version's, and how its data can be kept. */
export async function explainOtherSchema(dataDir: string): Promise<MigrationFailed> {
  const folder = resolve(dataDir);
  const version = (await readMarker(folder))?.version;
  return new MigrationFailed(
    `The data folder ${folder} has the schema of another version${version ? `, ${version},` : ""} and was not changed. ` +
      "This version cannot take its data along. Start the version that made it, and there download what you need under /admin " +
      `and keep a backup (\`${commandLine("backup")}\`, then \`${commandLine("verify-backup --start")}\`). ` +
      "This version starts empty in another folder: set DATA_DIR.",
  );
}

async function readUpgrades(dataDir: string) {
  return (await readRecord(join(dataDir, backupsFolder), "upgrades.json")) ?? [];
}
