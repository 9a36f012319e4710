/** Stands wherever the program cannot know the answer. */
export const firmMustAnswer = "The firm must answer this.";

/** A fact of content/company.ts, or that it is still to be supplied: then it is empty, or stands in brackets or under `.example`. */
export function statedByFirm(fact: string): string {
  if (fact === "") return firmMustAnswer;
  return /\[[^\]]*\]|\.example\b/.test(fact) ? `${firmMustAnswer} (app/content/company.ts still says ${fact})` : fact;
}
