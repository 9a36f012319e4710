import type { AppLoadContext } from "@remix-run/node";
import { readAtMost } from "#supabase/functions/_shared/host/read-at-most";
import { unreadableLetters } from "~/content/error-pages";
import { readFields } from "./posted-text.server";

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
