import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";

/** A picture of the founder, as served. */
export type Portrait = ReturnType<typeof readPortrait>;

/** The file is not a picture that a page can show. The message says what to do. */
export class PortraitError extends Error {}

/** About the size of a photograph of 960 × 1120 pixels, twice the displayed size. */
const largestBytes = 300 * 1024;

/**
 * Reads the founder's picture and detects its type by its first bytes, because the file name may be wrong.
 * @throws PortraitError
 */
export function readPortrait(file: string) {
  const bytes = readBytes(file);
  const kind = findPictureKind(bytes);
  if (kind === null) throw new PortraitError("name a JPEG, PNG, WebP or AVIF picture");
  const name = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  // The address changes with the picture, so that browsers may cache it permanently.
  return { address: `/portrait/${name}.${kind}`, type: `image/${kind}`, bytes: Uint8Array.from(bytes) };
}

function readBytes(file: string): Buffer {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined)
    throw new PortraitError("there is no such file: name one by its path from the folder of the facts");
  if (!found.isFile()) throw new PortraitError("name a file, by its path from the folder of the facts");
  if (found.size > largestBytes) throw new PortraitError(`name a picture of at most ${largestBytes / 1024} kB`);
  try {
    return readFileSync(file);
  } catch {
    throw new PortraitError("the file cannot be read");
  }
}

/** Detects the type of a picture by its first bytes; null if no page can show it. */
export function findPictureKind(bytes: Buffer): "jpeg" | "png" | "webp" | "avif" | null {
  const text = bytes.toString("latin1", 0, 32);
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (/^RIFF[^]{4}WEBP/.test(text)) return "webp";
  return /^[^]{4}ftyp(?:avif|mif1[^]{4}(?:[^]{4})*?avif)/.test(text) ? "avif" : null;
}
