import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { backupsFolder } from "#supabase/embedded/folder/data-folder";
import { listBackups } from "#supabase/embedded/backups/expired-backups";
import { readMarker } from "#supabase/embedded/folder/marker";
import { DataFolderUnusable, requireUsableFolder } from "#supabase/embedded/folder/usable-folder";
import { secretsName } from "#supabase/embedded/secrets";
import type { Settings } from "../../config/settings.server";
import { readDiskSpace } from "../../backend/disk-space.server";
import { type Finding, type Installation, fix, lookAt, notChecked, ok, splitMessage } from "./finding.server";

const name = "data folder";

/** Two machines that share a folder of backups may differ by this. */
const mostAheadMs = 5 * 60 * 1000;

/** Checks that this user can use the data folder, that it is private, and that its disks have room. */
export async function checkDataFolder({ settings, running }: Installation): Promise<Finding[]> {
  if (settings.backend.kind === "hosted") return [];
  const folder = resolve(settings.dataDir);
  try {
    requireUsableFolder(folder);
  } catch (error) {
    if (!(error instanceof DataFolderUnusable)) throw error;
    return [fix(name, ...splitMessage(error.message))];
  }
  if (!existsSync(folder)) return [checkParent(folder)];
  const isHeld = (await running).state !== "none";
  const backups = join(folder, backupsFolder);
  const hasOwnDisk = existsSync(backups) && statSync(backups).dev !== statSync(folder).dev;
  return [
    checkRights(folder),
    ...(await checkClock(folder)),
    ...(isHeld ? checkKeys(folder, settings) : []),
    await checkDisk("disk", folder),
    ...(hasOwnDisk ? [await checkDisk("disk of backups", backups)] : []),
  ];
}

/** Finds out that this machine's clock is behind a time that the site wrote down: a backup's, or the first start's. */
async function checkClock(folder: string): Promise<Finding[]> {
  const backups = await listBackups(join(folder, backupsFolder)).catch(() => []);
  const started = Date.parse((await readMarker(folder))?.readyAt ?? "") || 0;
  const latest = Math.max(started, backups.at(-1)?.at ?? 0);
  if (latest <= Date.now() + mostAheadMs) return [];
  const [now, then] = [Date.now(), latest].map((ms) => new Date(ms).toISOString());
  const text = `It shows ${now}, but the site made a backup or its first start at ${then}, so that it is or was wrong.`;
  const remedy =
    "Compare it with the time of day in UTC, and set it: see docs/operations/trouble.md, “A clock that jumps”.";
  return [lookAt("clock", text, remedy)];
}

/** The server read its keys when it started. The next start would make new ones. */
function checkKeys(folder: string, { sessionSecret }: Settings): Finding[] {
  const names = sessionSecret === undefined ? [secretsName, "session-secret"] : [secretsName];
  return names
    .filter((each) => !existsSync(join(folder, each)))
    .map((each) =>
      fix(
        "keys",
        `${join(folder, each)} is gone. The next start makes new keys: sessions end, and second factors are lost.`,
        "Before the next start, unpack that file from the newest backup, a tar archive, and put it back.",
      ),
    );
}

function checkParent(folder: string): Finding {
  let parent = dirname(folder);
  while (!existsSync(parent)) parent = dirname(parent);
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
    return notChecked(name, `${folder} does not exist yet.`, "The first start creates it.");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    // The unit has systemd create the folder (StateDirectory).
    if (process.env.SITE_COMMAND === "site")
      return notChecked(name, `${folder} does not exist yet.`, "The first start creates it: systemctl start site.");
    const remedy = "Create it and give it to this user, or set DATA_DIR to another folder.";
    return fix(name, `${folder} does not exist, and this user cannot create it (${code}).`, remedy);
  }
}

function checkRights(folder: string): Finding {
  const { mode, uid } = statSync(folder);
  const user = process.getuid?.();
  if (user === undefined) return notChecked(name, "Windows keeps its rights elsewhere.", `Run icacls ${folder}.`);
  if ((mode & 0o077) !== 0)
    return lookAt(name, "Other users of this machine may open it.", `Run \`chmod 700 ${folder}\` as its owner.`);
  // root may use every folder, so that the rights of the site's user stay unknown.
  if (user === 0 && uid !== 0)
    return notChecked(name, "root runs this command, and another user owns the folder.", "Run it as the site's user.");
  return ok(name, `This user can read and write ${folder}, and others cannot.`);
}

async function checkDisk(disk: string, folder: string): Promise<Finding> {
  const space = await readDiskSpace(folder);
  if (space === null) return notChecked(disk, "Its free space cannot be read.", `Run df ${folder}.`);
  const free = `${Math.round(space.freeBytes / 1_000_000)} MB are free.`;
  const remedy = "Free some space: see docs/operations/trouble.md, “A full disk”.";
  const loss = disk === "disk" ? "Forms may be refused." : "Backups may fail.";
  if (space.state === "full") return fix(disk, `${free} ${loss}`, remedy);
  return space.state === "low" ? lookAt(disk, free, remedy) : ok(disk, free);
}
