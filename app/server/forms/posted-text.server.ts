/** Several times as many as our longest form has. Collecting n values of one name takes quadratic time. */
const maxFields = 50;

/**
 * Reads the fields of a posted form from the raw bytes. The platform's own parsers replace bytes that are not UTF-8
 * with U+FFFD, which would damage names.
 * @param type the value of Content-Type
 * @returns names and values in order, or the reason why there are none
 */
export async function readFields(
  body: Uint8Array,
  type: string,
): Promise<[name: string, value: string][] | "unreadable form" | "unreadable letters"> {
  const isMultipart = /^\s*multipart\//i.test(type);
  const fields = isMultipart ? await splitParts(body, type) : splitPairs(Buffer.from(body).toString("latin1"));
  if (fields === null || fields.length > maxFields) return "unreadable form";
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1];
  // A field of this name contains the browser's encoding (HTML standard, "form submission algorithm").
  const encoding = charset ?? fields.find(([name]) => name === "_charset_")?.[1];
  try {
    const decoder = new TextDecoder(encoding || "utf-8", { fatal: true, ignoreBOM: true });
    const decode = (bytes: string) => decoder.decode(Buffer.from(bytes, "latin1"));
    return fields.map(([name, value]) => [decode(name), decode(value)]);
  } catch {
    return "unreadable letters";
  }
}

/** Names and values in which each character represents one byte (ISO 8859-1). */
type ByteFields = [string, string][];

/**
 * Splits a URL-encoded form (WHATWG URL, "application/x-www-form-urlencoded parsing").
 * @returns null for too many fields, which it does not decode
 */
function splitPairs(body: string): ByteFields | null {
  const pairs = body.split("&").filter((pair) => pair !== "");
  if (pairs.length > maxFields) return null;
  return pairs.map((pair) => {
    const end = pair.includes("=") ? pair.indexOf("=") : pair.length;
    return [decodePercents(pair.slice(0, end)), decodePercents(pair.slice(end + 1))];
  });
}

/** Decodes byte by byte: a function for each match of a pattern takes ten times as long. */
function decodePercents(part: string): string {
  const bytes = Buffer.from(part, "latin1");
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const decoded = byte === 0x25 ? 16 * readDigit(bytes[at + 1]) + readDigit(bytes[at + 2]) : Number.NaN;
    if (!Number.isNaN(decoded)) at += 2;
    bytes[length++] = Number.isNaN(decoded) ? (byte === 0x2b ? 0x20 : byte) : decoded;
  }
  return bytes.toString("latin1", 0, length);
}

/** Reads a hexadecimal digit; NaN for any other byte. */
function readDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

/**
 * Splits a multipart form with the platform's parser, one character per byte, so that it decodes nothing. Drops files.
 */
async function splitParts(body: Uint8Array, type: string): Promise<ByteFields | null> {
  const bytes = Buffer.from(Buffer.from(body).toString("latin1"), "utf8");
  const form = await new Response(bytes, { headers: { "Content-Type": type } }).formData().catch(() => null);
  return form && [...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
}
