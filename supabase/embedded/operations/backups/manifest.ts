import { createHash } from "node:crypto";
import { open, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { z } from "zod";
import { isSignedBy, signContent } from "../../folder/signature.ts";

/** Its name in the archive, beside the content. */
export const manifestName = "manifest.json";

/** Raised when an archive of this program cannot be read by an earlier one. */
const formatVersion = 1;

/** of a file that are read at once */
const pieceBytes = 256 * 1024;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const manifestSchema = z.object({
  format: z.literal(formatVersion),
  /** of the program that made the backup, from package.json */
  productVersion: z.string().regex(/^[\w.+-]{1,64}$/),
  /** ISO 8601, UTC */
  madeAt: z.iso.datetime(),
  /** versions of the migrations, in order */
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), rows: z.int(), sha256 })),
  /** every file of the content but this one; the path with `/`, relative to the content */
  files: z.array(z.object({ path: z.string(), bytes: z.int().min(0), sha256 })),
  /** of all the above by BACKUP_SIGNING_KEY; a backup in plain has none */
  signature: z.string().optional(),
});

/** What an archive says of itself: enough to prove that nothing of it is missing or was changed. */
export type Manifest = z.output<typeof manifestSchema>;

/**
 * @param signingKey signs it; undefined: it proves that a backup is whole, and not who made it
 * @returns the manifest with the format's version in front
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

/** Decides whether the holder of the other half of a key signed all that a manifest says. */
export function isManifestSignedBy({ signature, ...content }: Manifest, verifyingKey: string): boolean {
  return isSignedBy("manifest", content, signature, verifyingKey);
}

/** @returns null for anything that is not a manifest of this format */
export function parseManifest(text: string): Manifest | null {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Size and hash of every file below a folder, sorted by path, without the manifest. */
export async function describeFiles(folder: string): Promise<Manifest["files"]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: Manifest["files"] = [];
  const buffer = Buffer.allocUnsafe(pieceBytes);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const full = join(entry.parentPath, entry.name);
    const path = relative(folder, full).split(sep).join("/");
    if (path !== manifestName) files.push({ path, ...(await describeFile(full, buffer)) });
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Read in large pieces: a stream for each of a thousand files takes twice the time. */
async function describeFile(path: string, buffer: Buffer): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  const file = await open(path);
  try {
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
      hash.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}
