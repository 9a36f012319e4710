import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { mkdir, open, readFile, readdir, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Texts that wait on disk, each sealed under the name of its own random key. */
export interface Spool {
  /**
   * Keeps a text: when the promise resolves, it survives a loss of power.
   * @throws SpoolFull, or the file system's error: then nothing is kept
   */
  keep(key: string, text: string): Promise<void>;
  /** the keys of all that waits, in no order */
  list(): Promise<string[]>;
  /**
   * @returns null when it is gone
   * @throws SpoolUnreadable
   */
  read(key: string): Promise<string | null>;
  /** Forgets one; nothing happens when it is gone already. */
  remove(key: string): Promise<void>;
  /**
   * Forgets all that was kept before a moment, also what cannot be read.
   * @returns how many
   */
  removeKeptBefore(moment: Date): Promise<number>;
}

/** What a spool may hold. */
export interface SpoolLimits {
  files: number;
  bytes: number;
}

/** There is no room for one more. */
export class SpoolFull extends Error {
  override name = "SpoolFull";
}

/** It was sealed by another secret, or is not as it was written. */
export class SpoolUnreadable extends Error {
  override name = "SpoolUnreadable";
}

const ending = ".sealed";
const unfinishedEnding = ".unfinished";
/** A file that is still unfinished after this time was being written when its process was killed. */
const unfinishedForMs = 60_000;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Opens a spool, whose folder is made with the first text. Each text is sealed with AES-256-GCM, bound to its name.
 * @param secret 32 bytes
 */
export function openSpool(folder: string, secret: Buffer, limits: SpoolLimits): Spool {
  const pathOf = (key: string) => join(folder, key + ending);
  // One at a time, so that two that come at once do not both take the last place.
  let last: Promise<unknown> = Promise.resolve();
  const keep = async (key: string, text: string) => {
    const sealed = seal(secret, key, text);
    if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncFolder(dirname(folder));
    await requireRoom(folder, sealed.byteLength, limits);
    await writeSafely(folder, pathOf(key), sealed);
  };
  return {
    keep: (key, text) => {
      const kept = last.then(() => keep(key, text));
      last = kept.catch(() => {});
      return kept;
    },
    list: async () => {
      const names = await namesIn(folder);
      return names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length));
    },
    read: async (key) => {
      const sealed = await readFile(pathOf(key)).catch(ignoreMissing);
      return sealed ? unseal(secret, key, sealed) : null;
    },
    remove: async (key) => {
      await unlink(pathOf(key)).catch(ignoreMissing);
    },
    removeKeptBefore: async (moment) => {
      let removed = 0;
      for (const path of (await namesIn(folder)).map((name) => join(folder, name))) {
        const found = await stat(path).catch(ignoreMissing);
        if (!found || found.mtime >= moment) continue;
        await unlink(path).catch(ignoreMissing);
        removed += 1;
      }
      return removed;
    },
  };
}

/** @throws SpoolFull */
async function requireRoom(folder: string, more: number, limits: SpoolLimits): Promise<void> {
  let [files, bytes] = [0, more];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(ignoreMissing);
    if (!found) continue;
    if (name.endsWith(unfinishedEnding) && Date.now() - found.mtimeMs > unfinishedForMs) {
      await unlink(path).catch(ignoreMissing);
      continue;
    }
    files += 1;
    bytes += found.size;
  }
  if (files >= limits.files || bytes > limits.bytes) throw new SpoolFull("the spool is full");
}

/** The name appears with the whole content or not at all, and both are on the disk afterwards. */
async function writeSafely(folder: string, path: string, content: Buffer): Promise<void> {
  const unfinished = path + unfinishedEnding;
  try {
    const file = await open(unfinished, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await unlink(unfinished).catch(() => {});
    throw error;
  }
  await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function seal(secret: Buffer, key: string, text: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", secret, nonce).setAAD(Buffer.from(key));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** @throws SpoolUnreadable */
function unseal(secret: Buffer, key: string, sealed: Buffer): string {
  try {
    const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
    const decipher = createDecipheriv("aes-256-gcm", secret, sealed.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(key)).setAuthTag(tag);
    const body = sealed.subarray(nonceBytes + tagBytes);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
  } catch {
    throw new SpoolUnreadable("this was not sealed here, or was changed since");
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? [];
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
  return undefined;
}
