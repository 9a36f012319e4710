import type { ShownWord } from "./replace-word";

/**
 * Changed words of pages with scripts, by page. The words of this process, like its facts: `applyWords` alone writes
 * here and into the pages' own words.
 */
export const shownWords: Record<string, readonly ShownWord[]> = {};

/** Returns the words as they are: on the server, `applyWords` changes them in place. */
export function withWords<Words extends object>(_page: string, words: Words): Words {
  return words;
}
