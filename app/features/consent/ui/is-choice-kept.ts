import type { ConsentView } from "../state/consent-view.server";

/** Returns true if the browser sent back a decision made on this site. A browser without cookies never does. */
export function isChoiceKept({ choice }: Pick<ConsentView, "choice">): boolean {
  return choice !== null && !choice.bySignal;
}
