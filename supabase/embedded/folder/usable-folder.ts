import { accessSync, constants, mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { postgresqlVersion } from "../../../app/lib/site-version.ts";

/** Thrown when the data folder cannot be used as it is. The message names the folder and says what to do. */
export class DataFolderUnusable extends Error {
  override readonly name = "DataFolderUnusable";
}

/** Major version of PGlite's PostgreSQL. It treats files of another version as damaged. */
export const databaseVersion = postgresqlVersion.replace(/\..*/, "");

/** Names that the site must be able to read and write. Others, such as the facts, may belong to any user. */
const ownNames = ["pg", "secrets.json", "session-secret", "mail"];

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
  requireAccess(folder, called, "start this as the folder's owner, or set DATA_DIR to another folder.");
  if (!statSync(folder).isDirectory()) throw unusable(called, "is not a folder", { code: "ENOTDIR" }, "");
  if (isThere(join(folder, "PG_VERSION")))
    throw new DataFolderUnusable(
      `${called} holds the files of another PostgreSQL: set DATA_DIR to a folder for this site alone.`,
    );
  for (const name of ownNames) if (isThere(join(folder, name))) requireOwn(folder, name);
}

/**
 * Checks that `pg/` in a data folder is a database that the embedded PostgreSQL can open. PGlite reports only that it
 * failed, and fills a folder that holds no database.
 * @throws DataFolderUnusable
 */
export function requireOwnDatabase(files: string): void {
  const version = readVersion(files);
  const remedy = "move it away, or set DATA_DIR to another folder.";
  if (version === null) throw new DataFolderUnusable(`${files} holds no database: ${remedy}`);
  if (version !== databaseVersion)
    throw new DataFolderUnusable(
      `${files} holds the files of another PostgreSQL (version ${version}; this site's is ${databaseVersion}), which cannot be converted: ${remedy}`,
    );
}

/**
 * Finds out why a database did not open, if its files show a reason.
 * @param error from PGlite
 * @returns the error to throw: a more specific one, or the given one if the files show no reason
 */
export function explainOpenFailure(files: string, error: unknown): unknown {
  try {
    requireOwnFiles(dirname(files), "pg");
  } catch (found) {
    return found instanceof DataFolderUnusable ? found : error;
  }
  if (!(error instanceof Error && error.message === "PGlite failed to initialize properly")) return error;
  return new DataFolderUnusable(
    `${files} cannot be opened: it is damaged, or holds the files of another PostgreSQL. Restore a backup ` +
      "(`node bin/site.mjs restore <file> --replace`), or set DATA_DIR to another folder.",
    { cause: error },
  );
}

/**
 * Checks that this user can read and write a folder in the data folder, and everything in it: a command run as root once
 * leaves single files that the site's user cannot read.
 * @param isWanted called for the path of each file in the folder
 * @throws DataFolderUnusable
 */
export function requireOwnFiles(dataDir: string, name: string, isWanted = (_path: string) => true): void {
  requireOwn(dataDir, name);
  for (const each of readdirSync(join(dataDir, name), { recursive: true, encoding: "utf8" }).filter(isWanted))
    requireOwn(dataDir, join(name, each));
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
  const byRights = `give ${folder} and its content to this user (chown -R), or start this as the folder's owner.`;
  requireAccess(join(folder, name), `${join(folder, name)} in the data folder`, byRights);
}

function requireAccess(path: string, called: string, byRights: string): void {
  try {
    const entering = statSync(path).isDirectory() ? constants.X_OK : 0;
    accessSync(path, constants.R_OK | constants.W_OK | entering);
  } catch (error) {
    // The file was deleted after its name was read.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw unusable(called, "cannot be read and written", error, byRights);
  }
}

/** @param byRights advice for missing permissions */
function unusable(called: string, problem: string, error: unknown, byRights: string): DataFolderUnusable {
  const { code = "" } = error as NodeJS.ErrnoException;
  const remedies: Record<string, string> = {
    EROFS: "its disk is read-only. Set DATA_DIR to a folder on another disk.",
    ENOSPC: "its disk is full. Free some space, or set DATA_DIR to a folder on another disk.",
    ENOTDIR: "a file has its name. Set DATA_DIR to a folder.",
    EEXIST: "a file has its name. Set DATA_DIR to a folder.",
  };
  return new DataFolderUnusable(`${called} ${problem} (${code}): ${remedies[code] ?? byRights}`);
}
