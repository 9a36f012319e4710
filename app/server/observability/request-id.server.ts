import { randomUUID } from "node:crypto";

/** Of this process, so that no other process gives the same names. */
const ofThisProcess = randomUUID().slice(0, 24);
const digits = 12;
const lastTwo = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
let last = 0;
let beginning = "";

/**
 * A name for a request in the log and on error pages: a UUID in form, of which the last part counts. A random one for
 * every page from memory would cost a twentieth of its answer.
 */
export function nextRequestId(): string {
  last += 1;
  const byte = last % 256;
  if (byte === 0 || beginning === "") {
    const others = Math.floor(last / 256).toString(16);
    beginning = ofThisProcess + others.padStart(digits - 2, "0");
  }
  return beginning + lastTwo[byte];
}
