import { chmodSync, mkdirSync, statSync } from "node:fs";

const ownerOnly = 0o700;

/**
 * Makes a folder for its owner only, or closes one that is open to others: it holds keys, messages and passwords' hashes.
 * @returns `closed` when it was open to other users of this machine, `open` when it still is because it belongs to
 *   somebody else
 * @throws when it cannot be made
 */
export function makePrivateFolder(folder: string): "private" | "closed" | "open" {
  mkdirSync(folder, { recursive: true, mode: ownerOnly });
  // Windows keeps rights elsewhere, and reports the same of every folder.
  if (process.platform === "win32" || (statSync(folder).mode & 0o077) === 0) return "private";
  try {
    chmodSync(folder, ownerOnly);
    return "closed";
  } catch {
    return "open";
  }
}
