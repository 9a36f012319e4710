/** One thing the firm does: a title of two to five words, and one or two concrete sentences of 90 to 220 characters. */
export interface Offering {
  readonly title: string;
  readonly text: string;
}

/** Which variation of the site's one drawn line belongs to a page. */
export type LineVariation = "spark" | "rhythm" | "climb" | "network" | "build" | "scale" | "value";

/** The last word of a page: why to write, and the way to do it. */
export interface PageAction {
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly path: string;
}

/** Every word of an audience or service page (REQUIREMENTS 2.5); `tests/unit/content.test.ts` holds the limits. */
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
  /** one or two sentences under the headline, at most 220 characters */
  readonly lead: string;
  /** the h2 over the list */
  readonly offeringsTitle: string;
  readonly offerings: readonly Offering[];
  /** the small heading over the outcome */
  readonly outcomeTitle: string;
  /** one sentence of at most 160 characters, set as a large pull quote */
  readonly outcome: string;
  /** beside it on the audience pages: a drawing that says one thing, described for whoever does not see it */
  readonly drawing?: {
    readonly name: "overlap" | "owner" | "capacity" | "gate";
    readonly description: string;
    readonly words: readonly string[];
  };
  readonly action: PageAction;
}
