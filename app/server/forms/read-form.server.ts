import type { AppLoadContext } from "@remix-run/node";
import { readAtMost } from "#supabase/functions/_shared/host/read-at-most";
import { unreadableLetters } from "~/content/error-pages";

/**
 * Maximum size of a form. A character takes up to 27 bytes: decomposed Korean, as macOS stores it, percent-encoded. So
 * the longest message takes 135 kB, and less than 160 kB with its other fields. The longest reply takes 90 kB and the
 * longest letter 180 kB, because their forms are multipart. A text slightly over its limit must fit as well, so that the form can return it.
 */
export const maxFormBytes = 256 * 1024;
/** Limit on the bytes that are read and discarded, so that the browser gets the 413 and not a connection reset. */
export const maxDrainedBytes = 8 * 1024 * 1024;

/**
 * Allows plain names only: conform expands `a[99999999]` into an array of that length and runs `__intent__` as a
 * command, and names like `toString` exist on Object.prototype.
 */
const plainName = /^[a-z][a-z0-9-]{0,39}$/i;

/** Several times as many as our longest form has. Collecting n values of one name takes quadratic time. */
const maxFields = 50;

const formTypes = new Set(["application/x-www-form-urlencoded", "multipart/form-data"]);

/**
 * Reads a posted form without ever holding more than 256 kB. Our server has read the body already (`context.body`).
 * @returns the text fields with names that our forms could have, without files
 * @throws Response 413 when it is larger, 415 when it is not a form, and 400 when it cannot be parsed, is not valid in
 *   its encoding, or has too many fields
 */
export async function readForm(request: Request, context: AppLoadContext): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  // A form with only a button has no fields, and some clients send no type for an empty body.
  if (type === "" && !(Number(request.headers.get("content-length")) > 0)) return new FormData();
  if (!formTypes.has(type.split(";")[0]?.trim().toLowerCase() ?? "")) {
    throw new Response("This address takes a form.", { status: 415, statusText: "Unsupported Media Type" });
  }
  const body = await readBody(request, context);
  if (body === null) throw new Response("The form is too large.", { status: 413, statusText: "Content Too Large" });
  const fields = await readFields(body, type);
  if (typeof fields === "string") {
    const text = fields === "unreadable letters" ? unreadableLetters : "The form could not be read.";
    throw new Response(text, { status: 400, statusText: "Bad Request" });
  }
  const text = new FormData();
  for (const [name, value] of fields) {
    if (plainName.test(name) && !(name in Object.prototype)) text.append(name, value);
  }
  return text;
}

/** @returns null when it is too large; our server then keeps only part of the body, or none if the length shows it */
async function readBody(request: Request, { body }: AppLoadContext): Promise<Uint8Array | null> {
  if (body === undefined) return readAtMost(request, maxFormBytes, maxDrainedBytes);
  const announced = Number(request.headers.get("content-length"));
  return Math.max(body.length, announced) > maxFormBytes ? null : body;
}

/**
 * Reads the fields of a posted form from the raw bytes. The platform's own parsers replace bytes that are not UTF-8
 * with U+FFFD, which would damage names.
 * @param type the value of Content-Type
 * @returns names and values in order, or the reason why there are none
 */
async function readFields(
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
