import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { link, open, readdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { create, extract, Parser, type ReadEntry } from "tar";
import { syncFolder } from "../../folder/durable-files.ts";
import { encryptStream } from "./encryption.ts";
import { manifestName } from "./manifest.ts";
import { OperationRefused } from "../operation-refused.ts";

/** A manifest has some 130 bytes for each file. */
const mostManifestBytes = 64 * 1024 ** 2;

/**
 * Refuses an entry that an archive may not hold. `remain` is the number of bytes that follow. `size` can differ from it: with a global
 * and a local header, tar takes each from another one.
 * @throws OperationRefused
 */
export type CheckEntry = (entry: Pick<ReadEntry, "type" | "path" | "remain">) => void;

/**
 * Packs a folder's content into one compressed file that only its owner can read, its manifest first. The file gets its name when it is
 * whole, on the disk, and has been checked.
 * @param recipients encrypts for each of them; none: the file is in plain
 * @param check is given the path under which the file is until then
 * @throws OperationRefused when there is a file of this name already: a backup is not written over another; and what
 *   `check` throws, the file being deleted then
 */
export async function packFolder(
  folder: string,
  file: string,
  recipients: readonly string[],
  check: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    const names = (await readdir(folder)).toSorted((a, b) => Number(b === manifestName) - Number(a === manifestName));
    const archive = Readable.from(create({ cwd: folder, gzip: { level: 6 }, portable: true }, names));
    const content = recipients.length === 0 ? archive : await encryptStream(archive, recipients);
    await pipeline(content, createWriteStream(draft, { mode: 0o600, flags: "wx" }));
    const packed = await open(draft, "r");
    await packed.sync().finally(() => packed.close());
    await check(draft);
    // Unlike a rename, this fails where the name is taken.
    await link(draft, file);
    await syncFolder(dirname(file));
  } catch (error) {
    if (isCode(error, "EEXIST")) throw new OperationRefused(`${file} is there already. Name another file.`);
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Reads the manifest of an archive, and no further.
 * @param name what an operator calls the file
 * @returns its text; empty where there is none
 * @throws OperationRefused when the file cannot be read, or is no archive, or is cut off or damaged before it
 */
export async function readManifest(file: string, name: string): Promise<string> {
  const pieces: Buffer[] = [];
  await readEntries(file, name, (entry, stop) => {
    if (entry.path !== manifestName || entry.type !== "File" || entry.remain > mostManifestBytes) return;
    entry.on("data", (piece) => void pieces.push(piece));
    entry.on("end", stop);
  });
  return Buffer.concat(pieces).toString("utf8");
}

/**
 * Unpacks an archive into an empty folder: files and folders only, none outside of it, for their owner only. It reads the archive to
 * its end before it writes anything, so that a damaged one, or one that would fill the disk, leaves nothing behind.
 * @param makeCheck makes what judges each entry, before it is unpacked
 * @param name what an operator calls the file
 * @throws OperationRefused when the archive is cut off or damaged, and what the check throws
 */
export async function unpackArchive(
  file: string,
  folder: string,
  makeCheck: () => CheckEntry,
  name: string,
): Promise<void> {
  await readEntries(file, name, makeCheck());
  const check = makeCheck();
  const filter = (_path: string, entry: unknown) => {
    const read = entry as ReadEntry;
    // tar would honor the mode in the archive. A folder that its owner cannot enter cannot be removed, either.
    read.mode = read.type === "Directory" ? 0o700 : 0o600;
    return passes(check, read);
  };
  await extract({ file, cwd: folder, strict: true, filter }).catch((error: unknown) => refuseDamaged(error, name));
}

/** Hands over each entry in turn until `take` throws or stops it. Entries are streamed, so that a large one takes no memory. */
async function readEntries(
  file: string,
  name: string,
  take: (entry: ReadEntry, stop: () => void) => void,
): Promise<void> {
  const parser = new Parser({ strict: true });
  let failure: unknown;
  let isOver = false;
  const ended = new Promise<void>((resolve) => parser.on("end", resolve).on("error", () => resolve()));
  parser.on("error", (error) => (failure ??= error));
  parser.on("entry", (entry) => {
    try {
      if (failure === undefined && !isOver) take(entry, () => (isOver = true));
    } catch (error) {
      failure = error;
    }
    entry.resume();
  });
  try {
    for await (const piece of createReadStream(file)) {
      parser.write(piece as Buffer);
      if (failure !== undefined) throw failure;
      if (isOver) return;
    }
    parser.end();
    await ended;
    if (failure !== undefined) throw failure;
  } catch (error) {
    refuseDamaged(error, name);
  }
}

function passes(check: CheckEntry, entry: ReadEntry): boolean {
  try {
    check(entry);
    return true;
  } catch {
    return false;
  }
}

function refuseDamaged(error: unknown, name: string): never {
  if (isCode(error, "ENOENT")) throw new OperationRefused(`${name} is not there.`);
  if (error instanceof OperationRefused || isCode(error, "ENOSPC")) throw error;
  throw new OperationRefused(`${name} is damaged, cut off, or no backup.`);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
