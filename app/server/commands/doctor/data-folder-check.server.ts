import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DataFolderUnusable, requireUsableFolder } from "#supabase/embedded/folder/usable-folder";
import { readDiskSpace } from "../../backend/disk-space.server";
import { type Finding, type Installation, fix, lookAt, notChecked, ok, splitMessage } from "./finding.server";

const name = "data folder";

/** Checks that this user can use the data folder, that it is private, and that its disk has room. */
export async function checkDataFolder({ settings }: Installation): Promise<Finding[]> {
  if (settings.backend.kind === "hosted") return [];
  const folder = resolve(settings.dataDir);
  try {
    requireUsableFolder(folder);
  } catch (error) {
    if (!(error instanceof DataFolderUnusable)) throw error;
    return [fix(name, ...splitMessage(error.message))];
  }
  if (!existsSync(folder)) return [checkParent(folder)];
  return [checkRights(folder), await checkDisk(folder)];
}

function checkParent(folder: string): Finding {
  let parent = dirname(folder);
  while (!existsSync(parent)) parent = dirname(parent);
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
    return notChecked(name, `${folder} does not exist yet.`, "The first start creates it.");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const remedy = "Create it and give it to this user, or set DATA_DIR to another folder.";
    return fix(name, `${folder} does not exist, and this user cannot create it (${code}).`, remedy);
  }
}

function checkRights(folder: string): Finding {
  const { mode, uid } = statSync(folder);
  const user = process.getuid?.();
  if (user === undefined) return notChecked(name, "Windows keeps its permissions elsewhere.");
  if ((mode & 0o077) !== 0)
    return lookAt(name, "Other users of this machine may open it.", `Run \`chmod 700 ${folder}\` as its owner.`);
  // root may use every folder, so that the rights of the site's user stay unknown.
  if (user === 0 && uid !== 0)
    return notChecked(name, "root runs this command, and another user owns the folder.", "Run it as the site's user.");
  return ok(name, `This user can read and write ${folder}, and others cannot.`);
}

async function checkDisk(folder: string): Promise<Finding> {
  const space = await readDiskSpace(folder);
  if (space === null) return notChecked("disk", "Its free space cannot be read.");
  const free = `${Math.round(space.freeBytes / 1_000_000)} MB are free.`;
  const remedy = "Free some space: see docs/operations/trouble.md, “A full disk”.";
  if (space.state === "full") return fix("disk", `${free} Forms may be refused.`, remedy);
  return space.state === "low" ? lookAt("disk", free, remedy) : ok("disk", free);
}
