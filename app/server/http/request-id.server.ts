import { randomUUID } from "node:crypto";

/** Of this process, so that no other process gives the same names. */
const ofThisProcess = randomUUID().slice(0, 24);
const digits = 12;
let last = 0;

/**
 * A name for a request in the log and on error pages: a UUID in form, of which the last part counts. A random one for
 * every page from memory would cost a twentieth of its answer.
 */
export function nextRequestId(): string {
  last += 1;
  return ofThisProcess + last.toString(16).padStart(digits, "0");
}
