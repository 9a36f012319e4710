import { accessSync, constants, mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The data folder cannot be used as it is. The message says which folder, and what to do. */
export class DataFolderUnusable extends Error {
  override readonly name = "DataFolderUnusable";
}

/** PGlite's PostgreSQL. It takes the files of another for damaged. */
const databaseVersion = "17";

/** The site must read and write all of these; the rest, as the facts, may belong to anybody. */
const ownNames = ["pg", "secrets.json", "session-secret", "mail"];

/**
 * Makes the data folder where there is none, for its owner only.
 * @throws DataFolderUnusable
 */
export function makeDataFolder(dataDir: string): void {
  const folder = resolve(dataDir);
  try {
    // Not straight away with "recursive", which calls a disk that can only be read a missing folder.
    if (!isThere(folder) && isThere(dirname(folder))) mkdirSync(folder, { mode: 0o700 });
    else mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (error instanceof DataFolderUnusable) throw error;
    const byRights = "make it and give it to this user, or name another by DATA_DIR.";
    throw unusable(`The data folder ${folder}`, "cannot be made", error, byRights);
  }
  requireUsableFolder(folder);
}

/**
 * Checks that this user can use a data folder; one that does not exist passes.
 * @throws DataFolderUnusable when it is no folder, belongs to somebody else, or is another PostgreSQL's
 */
export function requireUsableFolder(dataDir: string): void {
  const folder = resolve(dataDir);
  if (!isThere(folder)) return;
  const called = `The data folder ${folder}`;
  requireAccess(folder, called, "start this as the user it belongs to, or name another by DATA_DIR.");
  if (!statSync(folder).isDirectory()) throw unusable(called, "is no folder", { code: "ENOTDIR" }, "");
  if (isThere(join(folder, "PG_VERSION")))
    throw new DataFolderUnusable(
      `${called} holds the files of another PostgreSQL: name a folder for this site alone by DATA_DIR.`,
    );
  for (const name of ownNames) if (isThere(join(folder, name))) requireOwn(folder, name);
}

/**
 * Checks that `pg/` in a data folder is a database that the embedded PostgreSQL can open. PGlite itself says no more than that it
 * failed, and fills a folder that holds none.
 * @throws DataFolderUnusable
 */
export function requireOwnDatabase(files: string): void {
  const version = readVersion(files);
  const remedy = "move it away, or name another folder by DATA_DIR.";
  if (version === null) throw new DataFolderUnusable(`${files} holds no database: ${remedy}`);
  if (version !== databaseVersion)
    throw new DataFolderUnusable(
      `${files} holds the files of another PostgreSQL (${version}, and this site's is ${databaseVersion}): ${remedy}`,
    );
}

/**
 * Finds out why a database did not open, where its files can tell.
 * @param error from PGlite
 * @returns the error to throw instead; the same one where its files tell nothing
 */
export function explainFailedOpening(files: string, error: unknown): unknown {
  try {
    // A command that root once ran leaves single files that the site's user cannot read.
    for (const name of readdirSync(files, { recursive: true, encoding: "utf8" }))
      requireOwn(dirname(files), join("pg", name));
  } catch (found) {
    return found instanceof DataFolderUnusable ? found : error;
  }
  if (!(error instanceof Error && error.message === "PGlite failed to initialize properly")) return error;
  return new DataFolderUnusable(
    `${files} cannot be opened: it is damaged, or holds the files of another PostgreSQL. Restore a backup ` +
      "(`npm run restore -- <file> --replace`), or name another folder by DATA_DIR.",
    { cause: error },
  );
}

/** @returns null where there is none */
function readVersion(files: string): string | null {
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
    const byRights = `let this user enter ${dirname(path)}, or name another folder by DATA_DIR.`;
    throw unusable(path, "cannot be reached", error, byRights);
  }
}

function requireOwn(folder: string, name: string): void {
  const byRights = `give ${folder} to this user with all that is in it (chown -R), or start this as the user it belongs to.`;
  requireAccess(join(folder, name), `${join(folder, name)} in the data folder`, byRights);
}

function requireAccess(path: string, called: string, byRights: string): void {
  try {
    const entering = statSync(path).isDirectory() ? constants.X_OK : 0;
    accessSync(path, constants.R_OK | constants.W_OK | entering);
  } catch (error) {
    // It was deleted since its name was read.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw unusable(called, "cannot be read and written", error, byRights);
  }
}

/** @param byRights what to do where this user lacks a right */
function unusable(called: string, problem: string, error: unknown, byRights: string): DataFolderUnusable {
  const { code = "" } = error as NodeJS.ErrnoException;
  const remedies: Record<string, string> = {
    EROFS: "its disk can only be read, so name a folder on another disk by DATA_DIR.",
    ENOSPC: "its disk is full, so make room, or name a folder on another disk by DATA_DIR.",
    ENOTDIR: "a file stands in its place, so name a folder by DATA_DIR.",
    EEXIST: "a file stands in its place, so name a folder by DATA_DIR.",
  };
  return new DataFolderUnusable(`${called} ${problem} (${code}): ${remedies[code] ?? byRights}`);
}
