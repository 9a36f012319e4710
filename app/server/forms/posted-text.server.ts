/**
 * Reads the fields of a posted form, each by the bytes that were sent: the platform's own parsers put U+FFFD in the place of
 * what is not UTF-8, and somebody's name would be stored with holes in it.
 * @param type the value of Content-Type
 * @returns names and values in their order, or why there are none
 */
export async function readFields(
  body: Uint8Array,
  type: string,
): Promise<[name: string, value: string][] | "unreadable form" | "unreadable letters"> {
  const isMultipart = /^\s*multipart\//i.test(type);
  const fields = isMultipart ? await splitParts(body, type) : splitPairs(Buffer.from(body).toString("latin1"));
  if (fields === null) return "unreadable form";
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1];
  // HTML standard, "form submission algorithm": a field of this name says which encoding the browser has used.
  const named = charset ?? fields.find(([name]) => name === "_charset_")?.[1];
  try {
    const decoder = new TextDecoder(named || "utf-8", { fatal: true, ignoreBOM: true });
    const decode = (bytes: string) => decoder.decode(Buffer.from(bytes, "latin1"));
    return fields.map(([name, value]) => [decode(name), decode(value)]);
  } catch {
    return "unreadable letters";
  }
}

/** Names and values, in which each character stands for one byte (ISO 8859-1). */
type ByteFields = [string, string][];

/** WHATWG URL, "application/x-www-form-urlencoded parsing". */
function splitPairs(body: string): ByteFields {
  return body
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [readPercents(name), readPercents(value.join("="))];
    });
}

function readPercents(part: string): string {
  return part
    .replaceAll("+", " ")
    .replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** Has the platform split it, with each byte as a character of its own, so that it decodes nothing. Files are left out. */
async function splitParts(body: Uint8Array, type: string): Promise<ByteFields | null> {
  const bytes = Buffer.from(Buffer.from(body).toString("latin1"), "utf8");
  const form = await new Response(bytes, { headers: { "Content-Type": type } }).formData().catch(() => null);
  return form && [...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
}
