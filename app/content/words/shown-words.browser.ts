import { companyElementId, readWords } from "../firm/company-element";
import { type ShownWord, replaceWord } from "./replace-word";

/** The firm's words of this page, which its document holds. */
export const shownWords: Record<string, readonly ShownWord[]> = readWords(
  document.getElementById(companyElementId)?.textContent ?? "",
);

/** Puts the firm's words in the place of those in the script. */
export function withWords<Words extends object>(page: string, words: Words): Words {
  for (const word of shownWords[page] ?? []) replaceWord(words, word);
  return words;
}
