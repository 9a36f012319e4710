import { countCharacters } from "../characters.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** The shortest password that this product accepts anywhere. */
export const minimumPasswordLength = 12;

/** bcrypt reads no further; a longer password would only seem stronger. */
const maxPasswordBytes = 72;

/** @returns what is wrong with a password and what to do; null for one that is acceptable */
export async function findPasswordFault(typed: string): Promise<string | null> {
  const password = typed.normalize("NFC");
  if (countCharacters(password) < minimumPasswordLength) {
    return `Password should be at least ${minimumPasswordLength} characters.`;
  }
  if (new TextEncoder().encode(password).length > maxPasswordBytes) return "Password cannot be longer than 72 bytes.";
  if (await isCommonPassword(password)) {
    return (
      "It is one of the passwords that are guessed first, or little more than one. " +
      "Take one from a password manager, or four words that have nothing to do with each other."
    );
  }
  return null;
}
