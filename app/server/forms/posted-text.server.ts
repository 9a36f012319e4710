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
  if (fields === null) return "unreadable form";
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

/** Splits a URL-encoded form (WHATWG URL, "application/x-www-form-urlencoded parsing"). */
function splitPairs(body: string): ByteFields {
  return body
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [decodePercents(name), decodePercents(value.join("="))];
    });
}

function decodePercents(part: string): string {
  return part
    .replaceAll("+", " ")
    .replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/**
 * Splits a multipart form with the platform's parser, one character per byte, so that it decodes nothing. Drops files.
 */
async function splitParts(body: Uint8Array, type: string): Promise<ByteFields | null> {
  const bytes = Buffer.from(Buffer.from(body).toString("latin1"), "utf8");
  const form = await new Response(bytes, { headers: { "Content-Type": type } }).formData().catch(() => null);
  return form && [...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
}
