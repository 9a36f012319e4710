import { accessSync, constants, mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { access, lstat, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { quotePath } from "../../../app/lib/command-line.ts";
import { postgresqlVersion } from "../../../app/lib/site-version.ts";
import { backupsFolder, markerName } from "./data-folder.ts";
import { listNames } from "./durable-files.ts";
import { findDate } from "../backups/expired-backups.ts";

/** Thrown when the data folder cannot be used as it is. The message names the folder and says what to do. */
export class DataFolderUnusable extends Error {
  override readonly name = "DataFolderUnusable";
  /** the system's error code, if it reported one */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/** Major version of PGlite's PostgreSQL. It treats files of another version as damaged. */
export const databaseVersion = postgresqlVersion.replace(/\..*/, "");

/** Names that the site must be able to read and write. Others, such as the facts, may belong to any user. */
const ownNames = ["pg", "secrets.json", "session-secret", "mail", markerName];

/**
 * Creates the data folder if absent, for its owner only.
 * @throws DataFolderUnusable
 */
export function makeDataFolder(dataDir: string): void {
  const folder = resolve(dataDir);
  try {
    // Not with "recursive" from the start: it reports a read-only disk as a missing folder.
    if (!isThere(folder) && isThere(dirname(folder))) mkdirSync(folder, { mode: 0o700 });
    else mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (error instanceof DataFolderUnusable) throw error;
    const byRights = "create it and give it to this user, or set DATA_DIR to another folder.";
    throw unusable(`The data folder ${folder}`, "cannot be created", error, byRights);
  }
  requireUsableFolder(folder);
}

/**
 * Checks that this user can use a data folder. Accepts a folder that does not exist.
 * @throws DataFolderUnusable when it is not a folder, belongs to another user, or is a PostgreSQL data directory
 */
export function requireUsableFolder(dataDir: string): void {
  const folder = resolve(dataDir);
  if (!isThere(folder)) return;
  const called = `The data folder ${folder}`;
  requireAccess(folder, called);
  if (!statSync(folder).isDirectory()) throw unusable(called, "is not a folder", { code: "ENOTDIR" }, "");
  if (isThere(join(folder, "PG_VERSION")))
    throw new DataFolderUnusable(
      `${called} holds the files of another PostgreSQL: set DATA_DIR to a folder for this site alone.`,
    );
  for (const name of ownNames) if (isThere(join(folder, name))) requireOwn(folder, name);
}

/**
 * Finds out why this user cannot keep backups in a data folder. They may be on a disk of their own. The first backup
 * creates the folder. Asynchronous, because the disk may be a network's.
 * @returns null if this user can, otherwise the problem and its remedy
 */
export async function findBackupsProblem(dataDir: string): Promise<DataFolderUnusable | null> {
  const folder = resolve(dataDir, backupsFolder);
  const called = `The backups folder ${folder}`;
  let path = folder;
  try {
    if (!(await stat(folder)).isDirectory())
      return unusable(called, "is not a folder", { code: "ENOTDIR" }, "", noBackups);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    // A command run as root leaves files that the site's user cannot read. A file system has its own lost+found.
    for (const name of (await listNames(folder)).filter((each) => findDate(each) || each.endsWith(".json")))
      await access((path = join(folder, name)), constants.R_OK);
    return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      const isLink = path === folder && (await lstat(folder).catch(() => null)) !== null;
      return isLink ? unusable(called, "is a link to nothing", error, "mount its disk.") : null;
    }
    const place = path === folder ? called : `${path} in the backups folder`;
    return unusable(place, "cannot be read and written", error, adviseRights(path, folder), noBackups);
  }
}

const noBackups = "set BACKUP_EVERY=off";

/**
 * Checks that `pg/` in a data folder is a database that the embedded PostgreSQL can open, and that all its files are
 * this user's: PostgreSQL opens most of them later, and a command run as root once leaves single files that the site's
 * user cannot read. PGlite reports only that it failed, and fills a folder that holds no database.
 * @throws DataFolderUnusable
 */
export function requireOwnDatabase(files: string): void {
  const [dataDir, name] = [dirname(files), basename(files)];
  if (isThere(files)) {
    requireOwn(dataDir, name);
    const paths = readdirSync(files, { recursive: true, encoding: "utf8" });
    for (const path of paths) requireOwn(dataDir, join(name, path));
  }
  const version = readVersion(files);
  const remedy = "move it away, or set DATA_DIR to another folder.";
  if (version === null) throw new DataFolderUnusable(`${files} holds no database: ${remedy}`);
  if (version !== databaseVersion)
    throw new DataFolderUnusable(
      `${files} holds the files of another PostgreSQL (version ${version}; this site's is ${databaseVersion}), which cannot be converted: ${remedy}`,
    );
}

/** Reads which major version of PostgreSQL made a database. Returns null when the folder holds none. */
export function readVersion(files: string): string | null {
  try {
    return readFileSync(join(files, "PG_VERSION"), "utf8").trim();
  } catch {
    return null;
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const byRights = `let this user enter ${dirname(path)}, or set DATA_DIR to another folder.`;
    throw unusable(path, "cannot be reached", error, byRights);
  }
}

function requireOwn(folder: string, name: string): void {
  requireAccess(join(folder, name), `${join(folder, name)} in the data folder`, folder);
}

/** @param given folder to give to this user, with its content */
function requireAccess(path: string, called: string, given = path): void {
  try {
    const entering = statSync(path).isDirectory() ? constants.X_OK : 0;
    accessSync(path, constants.R_OK | constants.W_OK | entering);
  } catch (error) {
    // The file was deleted after its name was read.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    const elsewhere = given === path ? ", or set DATA_DIR to another folder." : ".";
    throw unusable(called, "cannot be read and written", error, adviseRights(path, given).replace(/\.$/, elsewhere));
  }
}

/** Names the owner of a path, and the command that lets this user use a folder. */
function adviseRights(path: string, folder: string): string {
  const user = process.getuid?.();
  const owner = findOwner(path);
  if (user === undefined || owner === undefined) return "let this user use it and the folders above it.";
  if (owner === user) return `let this user use it with \`chmod -R u+rwX ${quotePath(folder)}\`.`;
  const give = `give it to this user with \`chown -R ${user}:${process.getgid?.()} ${quotePath(folder)}\` as root.`;
  return owner === 0 ? `root owns it: ${give}` : `user ${owner} owns it: run this as that user, or ${give}`;
}

function findOwner(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}

/**
 * @param byRights advice for missing permissions
 * @param elsewhere the other way for a disk or a file that the operator cannot change
 */
function unusable(
  called: string,
  problem: string,
  error: unknown,
  byRights: string,
  elsewhere = "set DATA_DIR to another folder",
): DataFolderUnusable {
  const { code = "" } = error as NodeJS.ErrnoException;
  const remedies: Record<string, string> = {
    EROFS: `its disk is read-only. Mount it for writing, or ${elsewhere}.`,
    ENOSPC: `its disk is full. Free some space, or ${elsewhere}.`,
    ENOTDIR: `a file has its name. Move it away, or ${elsewhere}.`,
    EEXIST: `a file has its name. Move it away, or ${elsewhere}.`,
  };
  return new DataFolderUnusable(`${called} ${problem} (${code}): ${remedies[code] ?? byRights}`, code);
}
