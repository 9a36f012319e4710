import { countCharacters, isOversized } from "../characters.ts";
import { isGuessedEarly } from "./guessed-passwords.ts";
import { isLittleMoreThan } from "./password-words.ts";

/** The shortest password that this product accepts anywhere. */
export const minimumPasswordLength = 12;

/** bcrypt ignores the rest, so a longer password would only seem stronger. */
const maxPasswordBytes = 72;

/** Returns true for a password that bcrypt would truncate: it would accept anything after the first 72 bytes. */
export function isLongerThanHashed(password: string): boolean {
  return new TextEncoder().encode(password).length > maxPasswordBytes;
}

/**
 * Composes a password (Unicode NFC), the form in which passwords are stored. Returns one that is longer than bcrypt
 * hashes in any form as it is, because normalizing takes time that grows faster than the text.
 */
export function composePassword(typed: string): string {
  return isOversized(typed, maxPasswordBytes) ? typed : typed.normalize("NFC");
}

/**
 * Checks a new password (OWASP ASVS 5, 6.2.1 to 6.2.12) without calling any service.
 * @param words words about the firm and the person, from {@link findPasswordWords}
 * @returns the problem and what to do about it; null for an acceptable password
 */
export async function findPasswordFault(typed: string, words: readonly string[] = []): Promise<string | null> {
  const password = composePassword(typed);
  if (countCharacters(password) < minimumPasswordLength) {
    return `Password should be at least ${minimumPasswordLength} characters.`;
  }
  if (isLongerThanHashed(password)) return "Password cannot be longer than 72 bytes.";
  if (isLittleMoreThan(words, password)) return `This password is little more than a name that others know. ${advice}`;
  if (await isGuessedEarly(password, words)) {
    return `This password is among those guessed first, or close to one of them. ${advice}`;
  }
  return null;
}

const advice = "Use a password manager, or four unrelated words.";
