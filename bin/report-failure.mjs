import { inspect } from "node:util";

/** Names of our own errors that say what to do. */
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

/** What keeps a file from being read or written, by the system's code for it. @type {Record<string, string>} */
const causes = {
  EACCES: "this user has no right to it",
  EPERM: "this user has no right to it",
  EROFS: "its disk can only be read",
  ENOSPC: "its disk is full",
  EDQUOT: "its disk is full",
  ENOTDIR: "a file stands where a folder should be",
};

/**
 * Says on standard error why a command could not be carried out: in one sentence where the operator can mend it, else with the stack.
 * Not by the console, whose lines may go to the log by now.
 * @param {unknown} thrown
 */
export function reportFailure(thrown) {
  const error = /** @type {Error & { code?: string, path?: string }} */ (thrown);
  const cause = typeof error?.path === "string" && causes[error.code ?? ""];
  const sentence = forOperator.has(error?.name) ? error.message : cause && `${error.path}: ${cause} (${error.code}).`;
  process.stderr.write(`${sentence || inspect(thrown)}\n`);
}
