/**
 * Whether a password is one that guessers try first: on the list of the most common ones, also when it is repeated or has
 * digits and signs around it, whatever its case; or nothing but a few characters again and again.
 *
 * Most common passwords are shorter than this product accepts; what people make of them to get past that
 * ("Password1234") is as easy to guess. The list is loaded when it is needed: few starts need it.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const forms = [password.toLowerCase(), lettersWithin(password.toLowerCase())];
  const units = forms.map(repeatedUnit);
  if (units.some((unit, i) => unit !== forms[i] && unit.length <= maxTrivialLength)) return true;
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const common: readonly (string | number)[] = dictionary["passwords-common"];
  return [...forms, ...units].some((form) => form.length >= minWordLength && common.includes(form));
}

const maxTrivialLength = 4;

/** Shorter entries of the list would refuse random passwords that happen to begin so. */
const minWordLength = 4;

/** From the first letter to the last: "__dragon2024!" becomes "dragon". */
function lettersWithin(text: string): string {
  return /\p{L}(?:.*\p{L})?/su.exec(text)?.[0] ?? "";
}

/** "abcabc" becomes "abc"; a text that repeats nothing stays. */
function repeatedUnit(text: string): string {
  return /^(.+?)\1+$/su.exec(text)?.[1] ?? text;
}
