import { access, constants, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { resolve } from "node:path";
import { quotePath } from "../../../app/lib/command-line.ts";
import { OperationRefused } from "./operation-refused.ts";

/**
 * Checks that a file can be read, because one that cannot says nothing about the backup in it.
 * @throws OperationRefused with the reason and a remedy
 */
export async function requireReadable(file: string): Promise<void> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) throw new OperationRefused(`${file} is a folder: name one of the backups in it.`);
    // Reading a pipe would wait for a writer, and a backup is read more than once.
    if (!stats.isFile()) throw new OperationRefused(`${file} is a device or a pipe: save the backup to a file first.`);
    await access(file, constants.R_OK);
  } catch (error) {
    throw findSystemFailure(error, file) ?? error;
  }
}

/**
 * Finds out if the system failed while a file was read.
 * @returns the reason with a remedy; the error itself if another file was concerned; null if the content is wrong
 */
export function findSystemFailure(error: unknown, file: string): Error | null {
  if (!isSystemError(error)) return null;
  const { code = "", path, syscall } = error;
  if (syscall === "write" || (path !== undefined && resolve(path) !== resolve(file))) return error;
  const user = userName();
  const reasons: Record<string, string> = {
    ENOENT: "does not exist",
    ENOTDIR: "does not exist: a part of its path is a file",
    ELOOP: "is a link that leads back to itself",
    EACCES: `may not be read by the user ${user} (EACCES). Copy it for that user: install -o ${user} -m 600 ${quotePath(file)} /var/tmp/`,
  };
  const other = `cannot be read (${code}). It may be intact: copy it to another disk, and name that file`;
  return new OperationRefused(`${file} ${reasons[code] ?? other}.`);
}

/**
 * Explains why the system could not write a backup. Returns other errors as they are.
 * @param folder the backup's
 * @param remedy for a folder that may not be written
 */
export function explainUnwritable(error: unknown, folder: string, remedy: string): unknown {
  if (!isSystemError(error)) return error;
  const { code = "", path = "" } = error;
  if (code === "ENOSPC" || code === "EDQUOT")
    return new OperationRefused(`The disk of ${folder}, or of the data folder, is full (${code}). Free some space.`);
  if (resolve(path) !== folder) return error;
  return new OperationRefused(`The user ${userName()} cannot write to ${folder} (${code}). ${remedy}`);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "code" in error;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return String(process.getuid?.());
  }
}
