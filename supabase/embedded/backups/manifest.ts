import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { signContent } from "./signature.ts";

/** Name of the manifest in the archive, beside the content. */
export const manifestName = "manifest.json";

/** Increased when earlier versions of this program cannot read an archive. */
const formatVersion = 1;

/** Size of a single read. */
const pieceBytes = 256 * 1024;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const manifestSchema = z.object({
  format: z.literal(formatVersion),
  /** version of the program that made the backup, with its commit */
  productVersion: z.string().regex(/^[\w.+-]{1,64}$/),
  /** ISO 8601, UTC */
  madeAt: z.iso.datetime(),
  /** versions of the migrations, in order */
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), rows: z.int(), sha256 })),
  /** every file of the content except this one; paths use `/` and are relative to the content */
  files: z.array(z.object({ path: z.string(), bytes: z.int().min(0), sha256 })),
  /** signature of the fields above by BACKUP_SIGNING_KEY; absent in an unencrypted backup */
  signature: z.string().optional(),
});

/** Description of an archive, sufficient to detect any missing or changed part. */
export type Manifest = z.output<typeof manifestSchema>;

/**
 * @param signingKey signs the manifest; without a signature it proves that a backup is complete, not who made it
 * @returns the manifest, starting with the version of the format
 */
export function makeManifest(
  content: Omit<Manifest, "format" | "signature">,
  signingKey: string | undefined,
): Manifest {
  const manifest = manifestSchema.parse({ format: formatVersion, ...content });
  return signingKey === undefined
    ? manifest
    : { ...manifest, signature: signContent("manifest", manifest, signingKey) };
}

/** @returns null for anything other than a manifest of this format */
export function parseManifest(text: string): Manifest | null {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Describes size and hash of every file below a folder, sorted by path, without the manifest. */
export async function describeFiles(folder: string): Promise<Manifest["files"]> {
  const files: Manifest["files"] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const full = join(entry.parentPath, entry.name);
    const path = relative(folder, full).split(sep).join("/");
    if (!entry.isFile() || path === manifestName) continue;
    const hash = createHash("sha256");
    await pipeline(createReadStream(full, { highWaterMark: pieceBytes }), hash);
    files.push({ path, bytes: (await stat(full)).size, sha256: hash.digest("hex") });
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
