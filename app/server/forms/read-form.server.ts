import { readAtMost } from "#supabase/functions/_shared/host/read-at-most";

/** A form is text that a person typed: 64 kB holds the longest message in any script several times over. */
export const largestForm = 64 * 1024;
/** Up to so much more is read and discarded, so that the browser gets the 413 and not a connection reset. */
export const largestDrained = 8 * 1024 * 1024;

/**
 * Allows plain names only: conform expands `a[99999999]` into an array of that length and runs `__intent__` as a command,
 * and names like `toString` are found on Object.prototype.
 */
const plainName = /^[a-z][a-z0-9-]{0,39}$/i;
/** Several times what our longest form has: collecting n values of one name takes time quadratic in n. */
const maxFields = 50;

const formTypes = new Set(["application/x-www-form-urlencoded", "multipart/form-data"]);

/**
 * Reads a posted form without ever holding more than 64 kB.
 * @returns the text fields that a form of ours could have; files are left out, since none takes any
 * @throws Response 413 when it is larger, 415 when it is not a form, 400 when it cannot be read or has too many fields
 */
export async function readForm(request: Request): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  // A button's own form has no fields, and not every client names the type of nothing.
  if (type === "" && !(Number(request.headers.get("content-length")) > 0)) return new FormData();
  if (!formTypes.has(type.split(";")[0]?.trim().toLowerCase() ?? "")) {
    throw new Response("This address takes a form.", { status: 415, statusText: "Unsupported Media Type" });
  }
  const body = await readAtMost(request, largestForm, largestDrained);
  if (body === null) throw new Response("The form is too large.", { status: 413, statusText: "Content Too Large" });
  const form = await parseForm(body, type);
  if (form === null) throw new Response("The form could not be read.", { status: 400, statusText: "Bad Request" });
  return form;
}

/** @returns null when it cannot be read, or is none that a person could have filled in */
async function parseForm(body: Uint8Array<ArrayBuffer>, type: string): Promise<FormData | null> {
  const form = await new Response(body, { headers: { "Content-Type": type } }).formData().catch(() => null);
  if (form === null || [...form.keys()].length > maxFields) return null;
  const text = new FormData();
  for (const [name, value] of form) {
    if (typeof value === "string" && plainName.test(name) && !(name in Object.prototype)) text.append(name, value);
  }
  return text;
}
