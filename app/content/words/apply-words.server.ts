import { company, replyPromise } from "../company";
import { editablePages } from "./editable-pages.server";
import { replaceWord } from "./replace-word";
import { shownWords } from "./shown-words.server";
import type { WordChange } from "./word-file.server";

/** The page with scripts whose words a firm may change. Its document holds them for the scripts. */
const scriptedPage = "contact";

/**
 * Replaces the built-in words, which pages read at each render, with the firm's.
 * @returns puts the built-in ones back
 */
export function applyWords(changes: readonly WordChange[]): () => void {
  const filled = changes.map((change) => ({
    ...change,
    value: typeof change.value === "string" ? fill(change.value) : change.value.map(fill),
  }));
  const undo = filled.map((change) => replaceWord(editablePages[change.page] ?? {}, change));
  shownWords[scriptedPage] = filled
    .filter(({ page }) => page === scriptedPage)
    .map(({ path, value }) => ({ path, value }));
  return () => {
    for (const each of undo) each();
    delete shownWords[scriptedPage];
  };
}

function fill(text: string): string {
  return text.replaceAll("{{firm}}", () => company.name).replaceAll("{{reply}}", () => replyPromise);
}
