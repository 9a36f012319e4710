import { randomInt } from "node:crypto";
import { compare, hash } from "bcryptjs";
import { composePassword } from "../../../app/lib/passwords/password-rule.ts";

/** Omits 0/o and 1/l/i, because a person reads the password off a terminal and types it once. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/** Generates 26 characters, 128 bits. */
export function generatePassword(): string {
  return Array.from({ length: 26 }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** Hashes with bcrypt, as GoTrue does. Normalizes to NFC, the form that the site tries first. */
export function hashPassword(password: string): Promise<string> {
  return hash(composePassword(password), 10);
}

/** Compares a password with a hash. Also matches older hashes, which were made from the password as typed. */
export async function isPasswordOf(passwordHash: string, password: string): Promise<boolean> {
  const composed = composePassword(password);
  return (await compare(composed, passwordHash)) || (composed !== password && compare(password, passwordHash));
}
