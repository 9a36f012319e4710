import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { link, readdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { create, extract, Parser, type ReadEntry } from "tar";
import { giveToOwner, syncFolder } from "../folder/durable-files.ts";
import { encryptStream, type FindKey, readPlain } from "./encryption.ts";
import { findSystemFailure } from "../operations/file-failure.ts";
import { manifestName } from "./manifest.ts";
import { OperationRefused } from "../operations/operation-refused.ts";

/** Longest path of an entry. Those of a database have some 60 characters. */
const longestPath = 255;

/** A manifest takes some 130 bytes per file. */
const mostManifestBytes = 64 * 1024 ** 2;

/**
 * Rejects an entry that an archive may not hold. `remain` is the number of bytes that follow. It can differ from
 * `size`: with a global and a local header, tar takes each from a different one.
 * @throws OperationRefused
 */
export type CheckEntry = (entry: Pick<ReadEntry, "type" | "path" | "remain">) => void;

/**
 * Packs a folder's content into one compressed file that only its owner can read, the manifest first. The file gets its
 * name once it is complete, on disk, and checked.
 * @param recipients encrypts for each of them; the file is unencrypted when the list is empty
 * @param check gets the path of the draft
 * @throws OperationRefused when a file of this name exists: a backup never overwrites another. Also what `check`
 *   throws; the draft is then deleted
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
    await pipeline(content, createWriteStream(draft, { mode: 0o600, flags: "wx", flush: true }));
    await check(draft);
    await giveToOwner(draft);
    // Unlike a rename, this fails when the name exists.
    await link(draft, file);
    await syncFolder(dirname(file));
  } catch (error) {
    if (isCode(error, "EEXIST")) throw new OperationRefused(`${file} already exists. Name another file.`);
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Reads the manifest of an archive, and no further.
 * @returns its text; empty when there is none
 * @throws OperationRefused when the file cannot be read, is not an archive, or is truncated or damaged before the
 *   manifest
 */
export async function readManifest(file: string, findKey: FindKey | undefined): Promise<string> {
  const pieces: Buffer[] = [];
  await readEntries(file, findKey, (entry, stop) => {
    if (entry.path !== manifestName || entry.type !== "File" || entry.remain > mostManifestBytes) return;
    entry.on("data", (piece) => void pieces.push(piece));
    entry.on("end", stop);
  });
  return Buffer.concat(pieces).toString("utf8");
}

/**
 * Unpacks an archive into an empty folder. Creates only files and folders, all inside that folder, for their owner
 * only. Reads the archive to its end before it writes anything, so that a damaged archive, or one that would fill the
 * disk, leaves nothing behind.
 * @param makeCheck makes the function that checks each entry before it is unpacked
 * @throws OperationRefused when the archive is truncated or damaged, and what the check throws
 */
export async function unpackArchive(
  file: string,
  findKey: FindKey | undefined,
  folder: string,
  makeCheck: () => CheckEntry,
): Promise<void> {
  await readEntries(file, findKey, makeCheck());
  const check = makeCheck();
  const filter = (_path: string, entry: unknown) => {
    const read = entry as ReadEntry;
    // Otherwise tar applies the mode in the archive, and a folder that its owner cannot enter cannot be removed.
    read.mode = read.type === "Directory" ? 0o700 : 0o600;
    return passes(check, read);
  };
  const unpack = extract({ cwd: folder, strict: true, filter });
  await new Promise((resolve, reject) => {
    unpack.on("close", resolve).on("error", reject);
    Readable.from(readPlain(file, findKey)).on("error", reject).pipe(unpack);
  }).catch((error: unknown) => refuseDamaged(error, file));
}

/** Passes each entry to `take` until it throws or stops. Entries are streamed, so that a large one takes no memory. */
async function readEntries(
  file: string,
  findKey: FindKey | undefined,
  take: (entry: ReadEntry, stop: () => void) => void,
): Promise<void> {
  const parser = new Parser({ strict: true });
  let failure: unknown;
  let isOver = false;
  const ended = new Promise<void>((resolve) => parser.on("end", resolve).on("error", () => resolve()));
  parser.on("error", (error) => (failure ??= error));
  parser.on("entry", (entry) => {
    try {
      if (entry.path.length > longestPath) throw new OperationRefused(`${file} holds a path that is too long.`);
      if (failure === undefined && !isOver) take(entry, () => (isOver = true));
    } catch (error) {
      failure = error;
    }
    entry.resume();
  });
  try {
    for await (const piece of readPlain(file, findKey)) {
      parser.write(Buffer.from(piece));
      if (failure !== undefined) throw failure;
      if (isOver) return;
    }
    parser.end();
    await ended;
    if (failure !== undefined) throw failure;
  } catch (error) {
    refuseDamaged(error, file);
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
  if (error instanceof OperationRefused) throw error;
  const failure = findSystemFailure(error, name);
  if (failure) throw failure;
  throw new OperationRefused(`${name} is damaged, truncated, or not a backup.`);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
