import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { link, readdir, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { withShortPath } from "./short-path.ts";

/** Another process holds the data folder. The message says which folder and what to do. */
export class DataFolderInUse extends Error {
  override readonly name = "DataFolderInUse";

  constructor(dataDir: string) {
    super(
      `The data folder ${dataDir} is in use by another process. Two at once would lose data. ` +
        "Stop the other process, or give this one a folder of its own.",
    );
  }
}

/** Held until `release`, or until the process ends in whatever way. */
export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Takes the folder for this process alone. Of any number of starters at the same moment exactly one succeeds.
 *
 * The lock is a listening local socket: it dies with its process, so a file that `kill -9` left behind is recognized
 * by refusing a connection. Such a file is never taken over, because two starters could both see it dead; the next
 * number is taken instead (`lock.1`, `lock.2`, …). Linking is atomic, and the highest number is never removed, so
 * each number is given once, and a number counts only as long as there is none above it.
 * @param linkFile the system's; a test has others come in between
 * @throws DataFolderInUse
 */
export async function lockFolder(dataDir: string, linkFile = link): Promise<FolderLock> {
  const server = createServer((visitor) => visitor.destroy());
  const draft = `lock.${randomUUID()}.new`;
  await withShortPath(dataDir, draft, (path) => listen(server, path));
  try {
    const number = await takeNextNumber(dataDir, draft, linkFile);
    await removeNumbersBelow(dataDir, number);
    return { release: () => close(server) };
  } catch (error) {
    await close(server);
    throw error;
  } finally {
    await rm(join(dataDir, draft), { force: true });
  }
}

async function takeNextNumber(dataDir: string, draft: string, linkFile: typeof link): Promise<number> {
  for (;;) {
    const highest = Math.max(0, ...(await numbers(dataDir)));
    if (highest > 0 && (await isAlive(dataDir, highest))) throw new DataFolderInUse(dataDir);
    const mine = highest + 1;
    const taken = await linkFile(join(dataDir, draft), nameOf(dataDir, mine)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") return false;
        throw error;
      },
    );
    if (!taken) continue;
    if (Math.max(...(await numbers(dataDir))) === mine) return mine;
    // This starter was overtaken between looking and linking: others went past this number and cleaned it up.
    await rm(nameOf(dataDir, mine), { force: true });
  }
}

async function removeNumbersBelow(dataDir: string, number: number): Promise<void> {
  for (const old of await numbers(dataDir)) {
    if (old < number) await rm(nameOf(dataDir, old), { force: true });
  }
}

async function numbers(dataDir: string): Promise<number[]> {
  const names = await readdir(dataDir);
  return names.flatMap((name) => /^lock\.(\d+)$/.exec(name)?.[1] ?? []).map(Number);
}

function nameOf(dataDir: string, number: number): string {
  return join(dataDir, `lock.${number}`);
}

/** Anything but a refusal counts as alive: in doubt it is better not to start than to lose data. */
async function isAlive(dataDir: string, number: number): Promise<boolean> {
  return withShortPath(dataDir, `lock.${number}`, async (path) => {
    const socket = connect(path);
    try {
      await once(socket, "connect");
      return true;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : "";
      return code !== "ECONNREFUSED" && code !== "ENOENT";
    } finally {
      socket.destroy();
    }
  });
}

async function listen(server: Server, path: string): Promise<void> {
  server.listen(path);
  await once(server, "listening");
  // A visitor that cannot be taken, for want of a file descriptor, has still seen that the folder is in use.
  server.on("error", () => {});
  // The lock alone must not keep a finished script running.
  server.unref();
}

async function close(server: Server): Promise<void> {
  await new Promise((resolve) => server.close(resolve));
}
