import { inspect } from "node:util";

/** Names of our errors whose message tells the operator what to do. */
const forOperator = new Set([
  "BuildMissing",
  "EnvFileError",
  "SettingsError",
  "FactsError",
  "AdminPasswordRefused",
  "DataFolderInUse",
  "DataFolderUnusable",
  "ListenFailed",
  "MigrationFailed",
  "BackupFailed",
  "LibraryChanged",
]);

/** Reasons why a file cannot be read or written, by error code. @type {Record<string, string>} */
const causes = {
  EACCES: "this user has no permission",
  EPERM: "this user has no permission",
  EROFS: "its disk is read-only",
  ENOSPC: "its disk is full",
  EDQUOT: "its disk is full",
  ENOTDIR: "a file is in the way of a folder",
};

/**
 * Prints on standard error why a command failed: one sentence if the operator can fix it, otherwise the stack. It does
 * not use the console, which may already go to the log.
 * @param {unknown} thrown
 */
export function reportFailure(thrown) {
  const error = /** @type {Error & { code?: string, path?: string, address?: string }} */ (thrown);
  // A socket that cannot be made names its address.
  const path = error?.path ?? error?.address;
  const cause = typeof path === "string" && causes[error.code ?? ""];
  const sentence = forOperator.has(error?.name) ? error.message : cause && `${path}: ${cause} (${error.code}).`;
  process.stderr.write(`${sentence || inspect(thrown)}\n`);
}
