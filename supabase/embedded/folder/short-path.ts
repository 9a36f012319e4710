import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Passes a short path to `use`. A socket's address holds about a hundred bytes, so a deep folder gets a short symlink.
 */
export async function withShortPath<T>(folder: string, name: string, use: (path: string) => Promise<T>): Promise<T> {
  const path = join(folder, name);
  if (Buffer.byteLength(path) < 100) return use(path);
  const shortcut = await mkdtemp(join(tmpdir(), "lock-"));
  try {
    await symlink(folder, join(shortcut, "f"));
    return await use(join(shortcut, "f", name));
  } finally {
    await rm(shortcut, { recursive: true, force: true });
  }
}
