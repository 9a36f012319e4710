import { firstCharacters } from "./characters.ts";

/** More than any code has, with spaces and hyphens. */
const codeLimit = 100;

/**
 * Reads a one-time, recovery or setup code as people type it. Composes it for compatibility (Unicode NFKC), because
 * Japanese keyboards type full-width digits.
 */
export function readCode(typed: string): string {
  return firstCharacters(typed, codeLimit).normalize("NFKC");
}
