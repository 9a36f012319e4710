import { createHash } from "node:crypto";
import { company } from "~/content/company";
import type { Article } from "~/content/insights/article.server";
import { editablePages } from "~/content/words/editable-pages.server";

/** Returns twelve digits that are the same on every server that shows these articles, and the same facts and words. */
export function digestTexts(articles: readonly Article[]): string {
  return createHash("sha256")
    .update(JSON.stringify([company, editablePages, articles]))
    .digest("hex")
    .slice(0, 12);
}
