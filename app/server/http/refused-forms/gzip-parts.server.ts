import { constants, crc32, deflateRawSync } from "node:zlib";

/** A part of a page: as it is, and packed so that it refers to nothing before it and ends with a whole byte. */
export interface PagePart {
  bytes: Buffer;
  packed: Buffer;
}

/** Packs a part that is used again and again, as well as can be. */
export function packPart(text: string): PagePart {
  const bytes = Buffer.from(text);
  return { bytes, packed: deflate(bytes, constants.Z_BEST_COMPRESSION) };
}

/** A short text costs less as it is than the work of packing it. */
const shortText = 1_024;

/** Packs a part that is used once. */
export function wrapPart(text: string): PagePart {
  const bytes = Buffer.from(text);
  return { bytes, packed: bytes.length <= shortText ? store(bytes) : deflate(bytes, constants.Z_BEST_SPEED) };
}

/** Without a final block, and flushed: the next part may follow (RFC 1951, section 3.2.3). */
function deflate(bytes: Buffer, level: number): Buffer {
  return deflateRawSync(bytes, { level, finishFlush: constants.Z_SYNC_FLUSH });
}

/** A block that is not compressed (RFC 1951, section 3.2.4). */
function store(bytes: Buffer): Buffer {
  const block = Buffer.allocUnsafe(5 + bytes.length);
  block[0] = 0;
  block.writeUInt16LE(bytes.length, 1);
  block.writeUInt16LE(~bytes.length & 0xffff, 3);
  bytes.copy(block, 5);
  return block;
}

/** Deflate, no name, no time, from any system (RFC 1952, section 2.3). */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** A last block with nothing in it. */
const lastBlock = Buffer.from([3, 0]);

/** Puts parts together to one gzip file (RFC 1952) without packing any of them again. */
export function joinGzip(parts: readonly PagePart[]): Buffer {
  const pieces: Buffer[] = [gzipHeader];
  let checksum = 0;
  let size = 0;
  for (const { bytes, packed } of parts) {
    pieces.push(packed);
    checksum = crc32(bytes, checksum);
    size += bytes.length;
  }
  const trailer = Buffer.allocUnsafe(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(size, 4);
  return Buffer.concat([...pieces, lastBlock, trailer]);
}
