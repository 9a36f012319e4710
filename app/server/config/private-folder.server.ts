import { chmodSync, mkdirSync, statSync } from "node:fs";
import { log, logProblem } from "../observability/log.server";

const ownersOnly = 0o700;
const toldOf = new Set<string>();

/**
 * Makes a folder for its owner only, or closes one that is open to others: it holds keys, messages and passwords' hashes.
 * One that belongs to somebody else cannot be closed; the log says so.
 * @throws when it cannot be made
 */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: ownersOnly });
  // Windows keeps rights elsewhere, and reports the same of every folder.
  if (process.platform === "win32" || (statSync(folder).mode & 0o077) === 0) return;
  try {
    chmodSync(folder, ownersOnly);
    log({ event: "data-folder.closed", remedy: "nothing: DATA_DIR was open to other users of this machine" });
  } catch {
    if (toldOf.has(folder)) return;
    toldOf.add(folder);
    logProblem({ event: "data-folder.open", remedy: "DATA_DIR is open to others: chmod 700 it as its owner" });
  }
}
