import { randomInt } from "node:crypto";
import { compare, hash } from "bcryptjs";
import { isCommonPassword } from "./common-passwords.ts";

/** The shortest password that this product accepts anywhere. */
export const minimumPasswordLength = 12;

/** bcrypt reads no further; a longer password would only seem stronger. */
const maxPasswordBytes = 72;

/** Without 0/o, 1/l/i: it is read off a terminal and typed once. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/** Twenty characters, 99 bits. */
export function generatePassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** @returns what is wrong with a password and what to do; null for one that is acceptable */
export async function findPasswordFault(password: string): Promise<string | null> {
  if ([...password].length < minimumPasswordLength) {
    return `Password should be at least ${minimumPasswordLength} characters.`;
  }
  if (Buffer.byteLength(password) > maxPasswordBytes) return "Password cannot be longer than 72 bytes.";
  if (await isCommonPassword(password)) {
    return (
      "It is one of the passwords that are guessed first, or little more than one. " +
      "Take one from a password manager, or four words that have nothing to do with each other."
    );
  }
  return null;
}

/** As lite hashes, so that lite's sign-in verifies it. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, 10);
}

/** Whether the hash is this password's. */
export function isPasswordOf(passwordHash: string, password: string): Promise<boolean> {
  return compare(password, passwordHash);
}
