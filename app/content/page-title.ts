import { company } from "./company";

/** The document's title: the page first, because tabs cut the end off. */
export function pageTitle(page: string, { hasMistakes = false } = {}): string {
  return `${hasMistakes ? "Error: " : ""}${page} | ${company.name}`;
}
