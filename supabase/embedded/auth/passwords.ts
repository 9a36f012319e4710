import { randomInt } from "node:crypto";
import { compare, hash } from "bcryptjs";

/** Without 0/o, 1/l/i: it is read off a terminal and typed once. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/** Twenty characters, 99 bits. */
export function generatePassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** As lite hashes, so that lite's sign-in verifies it. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, 10);
}

/** Whether the hash is this password's. */
export function isPasswordOf(passwordHash: string, password: string): Promise<boolean> {
  return compare(password, passwordHash);
}
