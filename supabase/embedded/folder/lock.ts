import { randomUUID } from "node:crypto";
import { link, readdir, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { giveToOwner } from "./durable-files.ts";
import { connectTo, listenIn } from "./local-socket.ts";

/** Thrown when another process holds the data folder. The message names the folder and says what to do. */
export class DataFolderInUse extends Error {
  override readonly name = "DataFolderInUse";

  constructor(dataDir: string) {
    super(
      `The data folder ${dataDir} is in use by another process. Two processes at a time would lose data. ` +
        "Stop the other process, or give this one a different folder.",
    );
  }
}

/** Held until `release`, or until the process ends for any reason. */
export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Locks the folder for this process. Of any number of concurrent starters exactly one succeeds.
 *
 * The lock is a listening local socket that dies with its process, so a file left by `kill -9` is recognizable: it
 * refuses connections. A starter never takes it over, because two starters could both see it dead; it takes
 * the next number instead (`lock.1`, `lock.2`, …). Linking is atomic, and the highest number is never removed. Each
 * number is therefore used once, and only the highest number counts.
 * @param linkFile the system's `link`; a test lets other starters interfere
 * @throws DataFolderInUse
 */
export async function lockFolder(dataDir: string, linkFile = link): Promise<FolderLock> {
  const server = createServer((visitor) => visitor.destroy());
  const draft = `lock.${randomUUID()}.new`;
  await listenIn(dataDir, draft, server);
  // A client whose connection fails for lack of a file descriptor has still seen that the folder is in use.
  server.on("error", () => {});
  try {
    await giveToOwner(join(dataDir, draft));
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

/** Returns true if a process holds the folder. It changes nothing there. */
export async function isFolderHeld(dataDir: string): Promise<boolean> {
  const highest = Math.max(0, ...(await numbers(dataDir)));
  return highest > 0 && isAlive(dataDir, highest);
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
    // Others overtook this starter between reading and linking: they went past this number and removed it.
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

/** Treats anything but a refused connection as alive: when in doubt, it is better not to start than to lose data. */
async function isAlive(dataDir: string, number: number): Promise<boolean> {
  return connectTo(dataDir, `lock.${number}`).then(
    (socket) => {
      socket?.destroy();
      return socket !== null;
    },
    () => true,
  );
}

async function close(server: Server): Promise<void> {
  await new Promise((resolve) => server.close(resolve));
}
