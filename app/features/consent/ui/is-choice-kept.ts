import type { ConsentView } from "../state/consent-view.server";

/** Whether the browser has sent back a choice that its visitor made here: one without cookies never does. */
export function isChoiceKept({ choice }: Pick<ConsentView, "choice">): boolean {
  return choice !== null && !choice.bySignal;
}
