import type { AppLoadContext } from "@remix-run/node";
import { readAtMost } from "#supabase/functions/_shared/host/read-at-most";
import { unreadableLetters } from "~/content/error-pages";
import { readFields } from "./posted-text.server";

/**
 * A form is text that people type and paste. A letter takes up to 27 bytes of a form: Korean typed in parts, as macOS stores
 * it, percent-encoded. So the longest message takes 135 kB, and with its other fields less than 160 kB; the longest reply
 * takes 90 kB, because that form is multipart. What is a little too long must fit as well, to come back with its words.
 */
export const largestForm = 256 * 1024;
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
 * Reads a posted form without ever holding more than 256 kB. Our server has read the body already (`context.body`).
 * @returns the text fields that a form of ours could have; files are left out, since none takes any
 * @throws Response 413 when it is larger, 415 when it is not a form, 400 when it cannot be read, is not in the encoding that it names, or has too many fields
 */
export async function readForm(request: Request, context: AppLoadContext): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  // A button's own form has no fields, and not every client names the type of nothing.
  if (type === "" && !(Number(request.headers.get("content-length")) > 0)) return new FormData();
  if (!formTypes.has(type.split(";")[0]?.trim().toLowerCase() ?? "")) {
    throw new Response("This address takes a form.", { status: 415, statusText: "Unsupported Media Type" });
  }
  const body = await readBody(request, context);
  if (body === null) throw new Response("The form is too large.", { status: 413, statusText: "Content Too Large" });
  const fields = await readFields(body, type);
  if (typeof fields === "string" || fields.length > maxFields) {
    const text = fields === "unreadable letters" ? unreadableLetters : "The form could not be read.";
    throw new Response(text, { status: 400, statusText: "Bad Request" });
  }
  const text = new FormData();
  for (const [name, value] of fields) {
    if (plainName.test(name) && !(name in Object.prototype)) text.append(name, value);
  }
  return text;
}

/** @returns null when it is too large. Our server has read no more than shows that, or nothing where its length says so. */
async function readBody(request: Request, { body }: AppLoadContext): Promise<Uint8Array | null> {
  if (body === undefined) return readAtMost(request, largestForm, largestDrained);
  const announced = Number(request.headers.get("content-length"));
  return Math.max(body.length, announced) > largestForm ? null : body;
}
