import { company } from "./company";

/** Builds the document's title. The page comes first, because tabs cut off the end. */
export function pageTitle(page: string, { hasMistakes = false } = {}): string {
  return `${hasMistakes ? "Error: " : ""}${page} | ${company.name}`;
}
