import { looksUnfilled } from "~/content/firm/unfilled";

/** Stands wherever the program cannot know the answer. */
export const firmMustAnswer = "The firm must answer this.";

/** A fact of the firm, or that it is still to be supplied: then it is empty, or stands in brackets or under `.example`. */
export function statedByFirm(fact: string): string {
  if (fact === "") return firmMustAnswer;
  return looksUnfilled(fact) ? `${firmMustAnswer} (The firm’s facts still say ${fact}.)` : fact;
}
