import { chmodSync, mkdirSync, statSync } from "node:fs";

const ownerOnly = 0o700;

/**
 * Creates a folder that only its owner can read, or makes an existing one private: it holds keys, messages and password
 * hashes.
 * @returns `closed` if other users of this machine could read it before; `open` if they still can, because another user
 *   owns it
 * @throws if it cannot be created
 */
export function makePrivateFolder(folder: string): "private" | "closed" | "open" {
  mkdirSync(folder, { recursive: true, mode: ownerOnly });
  // Windows keeps permissions elsewhere and reports the same mode for every folder.
  if (process.platform === "win32" || (statSync(folder).mode & 0o077) === 0) return "private";
  try {
    chmodSync(folder, ownerOnly);
    return "closed";
  } catch {
    return "open";
  }
}
