import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";

/** A picture of the founder, as it is served. */
export interface Portrait {
  /** on this site; it changes with the picture, so that browsers may keep it for ever */
  address: string;
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The file is no picture that a page can show: the message says what to do. */
export class PortraitRefused extends Error {}

/** About what a photograph of 960 × 1120 pixels needs, twice the size at which it is shown. */
const largestBytes = 300 * 1024;

/**
 * Reads the founder's picture and tells its type by its first bytes: a name can lie.
 * @throws PortraitRefused
 */
export function readPortrait(file: string): Portrait {
  const bytes = readBytes(file);
  const kind = findKind(bytes);
  if (kind === null) throw new PortraitRefused("name a JPEG, PNG, WebP or AVIF picture");
  const name = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return { address: `/portrait/${name}.${kind}`, type: `image/${kind}`, bytes: Uint8Array.from(bytes) };
}

function readBytes(file: string): Buffer {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new PortraitRefused("name a file, by its path from the folder of the facts");
  if (found.size > largestBytes) throw new PortraitRefused(`name a picture of at most ${largestBytes / 1024} kB`);
  try {
    return readFileSync(file);
  } catch {
    throw new PortraitRefused("the file cannot be read");
  }
}

function findKind(bytes: Buffer): "jpeg" | "png" | "webp" | "avif" | null {
  const text = bytes.toString("latin1", 0, 32);
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (/^RIFF[^]{4}WEBP/.test(text)) return "webp";
  return /^[^]{4}ftyp(?:avif|mif1[^]{4}(?:[^]{4})*?avif)/.test(text) ? "avif" : null;
}
