import type { ConsentView } from "../state/consent-view.server";

/** Tells whether the browser sent back a choice made on this site; a browser without cookies never does. */
export function isChoiceKept({ choice }: Pick<ConsentView, "choice">): boolean {
  return choice !== null && !choice.bySignal;
}
