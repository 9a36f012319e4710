import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { commandLine, quotePath } from "../../../app/lib/command-line.ts";
import { MigrationFailed } from "../migrations.ts";
import { backupsFolder } from "../folder/data-folder.ts";
import { writeFileDurably } from "../folder/durable-files.ts";
import { findNewestBackup } from "./expired-backups.ts";
import { readMarker } from "../folder/marker.ts";

/** File beside the backups that names the backups made before upgrades, newest last. */
const upgradesName = "upgrades.json";

const upgradesSchema = z.array(
  z.object({
    /** file name of the backup */
    backup: z.string(),
    /** version of its newest migration */
    newest: z.string(),
  }),
);

/** Records the backup that was just made as the way back from the migrations that follow. */
export async function recordUpgrade(dataDir: string, newest: string): Promise<void> {
  const made = await findNewestBackup(join(dataDir, backupsFolder), Date.now());
  if (made === null) return;
  const upgrades = [...(await readUpgrades(dataDir)), { backup: made.name, newest }];
  await writeFileDurably(join(dataDir, backupsFolder, upgradesName), `${JSON.stringify(upgrades)}\n`, 0o600);
}

/**
 * Explains that a later version of this program made the database.
 * @param newest version of this program's newest migration
 */
export async function explainNewerSchema(dataDir: string, newest: string): Promise<MigrationFailed> {
  const backup = (await readUpgrades(dataDir)).findLast((upgrade) => upgrade.newest === newest)?.backup;
  const way = backup
    ? `Start the later version, or go back to the data of this version: ${commandLine(`restore ${quotePath(join(resolve(dataDir), backupsFolder, backup))} --replace`)}. ` +
      "That loses what came in after that backup."
    : "Start the later version, or restore a backup that this version made.";
  return new MigrationFailed(
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

async function readUpgrades(dataDir: string): Promise<z.output<typeof upgradesSchema>> {
  const text = await readFile(join(dataDir, backupsFolder, upgradesName), "utf8").catch(() => "[]");
  try {
    return upgradesSchema.parse(JSON.parse(text));
  } catch {
    return [];
  }
}
