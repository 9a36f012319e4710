import { randomInt } from "node:crypto";
import { compare, hash } from "bcryptjs";

/** Without 0/o, 1/l/i: it is read off a terminal and typed once. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/** Twenty characters, 99 bits. */
export function generatePassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** As lite hashes, so that lite's sign-in verifies it. Composed (Unicode's NFC), as the site tries a password first. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFC"), 10);
}

/** Compares a password with a hash, also with one of earlier days, which was made of the password as it was typed. */
export async function isPasswordOf(passwordHash: string, password: string): Promise<boolean> {
  const composed = password.normalize("NFC");
  return (await compare(composed, passwordHash)) || (composed !== password && compare(password, passwordHash));
}
