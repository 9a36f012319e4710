import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { connect, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Listens on a socket in a folder. The socket does not keep a finished script running. */
export async function listenIn(folder: string, name: string, server: Server): Promise<void> {
  await withShortPath(folder, name, async (path) => {
    server.listen(path);
    await once(server, "listening");
  });
  server.unref();
}

/**
 * Connects to a socket in a folder.
 * @returns null when no process listens there
 * @throws the system's error when that cannot be known
 */
export async function connectTo(folder: string, name: string): Promise<Socket | null> {
  return withShortPath(folder, name, async (path) => {
    const socket = connect(path);
    try {
      await once(socket, "connect");
      return socket;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ECONNREFUSED") return null;
      throw error;
    }
  });
}

/** A socket's address holds about a hundred bytes, so a deep folder gets a short symlink. */
async function withShortPath<T>(folder: string, name: string, use: (path: string) => Promise<T>): Promise<T> {
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
