import { randomUUID } from "node:crypto";

const countDigits = 12;
const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/**
 * Makes the source of request ids for the log and for error pages: UUIDs in form, of which the last part counts. A random
 * one for every page from memory would cost a twentieth of its answer.
 */
export function createRequestIds(): () => string {
  // Random once, so that no other process and no other site gives the same ids.
  const random = randomUUID().slice(0, 24);
  let count = 0;
  let prefix = "";
  return () => {
    count += 1;
    const byte = count % 256;
    if (byte === 0 || prefix === "") {
      const higherDigits = Math.floor(count / 256).toString(16);
      prefix = random + higherDigits.padStart(countDigits - 2, "0");
    }
    return prefix + bytes[byte];
  };
}
