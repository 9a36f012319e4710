import { countCharacters } from "../characters.ts";
import { isGuessedEarly } from "./guessed-passwords.ts";
import { isLittleMoreThan } from "./password-words.ts";

/** The shortest password that this product accepts anywhere. */
export const minimumPasswordLength = 12;

/** bcrypt reads no further; a longer password would only seem stronger. */
const maxPasswordBytes = 72;

/** Tells a password that bcrypt would read in part: anything behind its first 72 bytes would open the account too. */
export function isLongerThanHashed(password: string): boolean {
  return new TextEncoder().encode(password).length > maxPasswordBytes;
}

/**
 * Judges a new password (OWASP ASVS 5, 6.2.1 to 6.2.12). Calls nothing outside this process.
 * @param words of the firm and the person, from {@link findPasswordWords}
 * @returns the fault and what to do about it; null for an acceptable password
 */
export async function findPasswordFault(typed: string, words: readonly string[] = []): Promise<string | null> {
  const password = typed.normalize("NFC");
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
