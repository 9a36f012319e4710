import type { NavigationLink } from "../navigation";

/** Variations of the vital line. */
export type LineVariation = "spark" | "rhythm" | "climb" | "network" | "build" | "scale" | "value";

/** Texts of a drawing: all in words for screen readers, and its labels. */
export interface DrawingWords {
  readonly name:
    "overlap" | "owner" | "capacity" | "gate" | "signature" | "shifts" | "balance" | "checklist" | "chairs";
  readonly description: string;
  readonly words: readonly string[];
}

/** All texts of an audience or service page (REQUIREMENTS 2.5). */
export interface OfferingPage {
  readonly path: string;
  readonly line: LineVariation;
  /** the page's name in navigation, cards and breadcrumbs */
  readonly label: string;
  /** the document's title before the firm's name: unique, 25 to 45 characters */
  readonly title: string;
  /** for search results: unique, 110 to 155 characters */
  readonly description: string;
  /** the page's h1, four to nine words */
  readonly headline: string;
  /** one or two sentences below the headline, at most 220 characters */
  readonly lead: string;
  /** the h2 above the list */
  readonly offeringsTitle: string;
  /** each with a title of two to five words; the first leads with at most 40 words, the others have at most 18 */
  readonly offerings: readonly { title: string; text: string }[];
  /** the small heading above the outcome */
  readonly outcomeTitle: string;
  /** one sentence of at most 160 characters, displayed as a large pull quote */
  readonly outcome: string;
  /** drawing beside the headline, with a description for screen readers */
  readonly drawing: DrawingWords;
  /** the page that visitors of this one read next, in a line above the last word */
  readonly neighbor: NavigationLink;
  /** the call to action at the end */
  readonly action: { title: string; text: string } & NavigationLink;
}
