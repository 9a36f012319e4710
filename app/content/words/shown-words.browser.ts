import { companyElementId, readWords } from "../firm/company-element";
import { type ShownWord, replaceWord } from "./replace-word";

/** The firm's words of this page, which its document holds. */
export const shownWords: Record<string, readonly ShownWord[]> = readWords(
  document.getElementById(companyElementId)?.textContent ?? "",
);

/** Replaces the script's words with the firm's. */
export function withWords<Words extends object>(page: string, words: Words): Words {
  for (const word of shownWords[page] ?? []) replaceWord(words, word);
  return words;
}
