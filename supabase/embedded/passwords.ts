import { randomInt } from "node:crypto";
import { hash } from "bcryptjs";

/** The shortest password that this product accepts anywhere. */
export const minimumPasswordLength = 12;

/** bcrypt reads no further; a longer password would only seem stronger. */
const longestPasswordInBytes = 72;

/** Without 0/o, 1/l/i: it is read off a terminal and typed once. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/** Twenty characters, 99 bits. */
export function generatePassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** Why a password is refused, or null when it is acceptable. */
export function findPasswordFault(password: string): string | null {
  if ([...password].length < minimumPasswordLength) {
    return `Password should be at least ${minimumPasswordLength} characters.`;
  }
  if (Buffer.byteLength(password) > longestPasswordInBytes) return "Password cannot be longer than 72 bytes.";
  return null;
}

/** As lite hashes, so that lite's sign-in verifies it. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, 10);
}
