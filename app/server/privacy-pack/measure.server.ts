import type { firmMustAnswer } from "./documents/firm-must-answer.server";

/** One measure (GDPR Article 32), and what shows it. */
export interface Measure {
  measure: string;
  holds: "yes" | "no" | typeof firmMustAnswer;
  /** what was read for this pack, the setting, or the file of the repository that proves it */
  evidence: string;
}

/** In the words of the document. */
export const yesIf = (holds: boolean) => (holds ? "yes" : "no");
