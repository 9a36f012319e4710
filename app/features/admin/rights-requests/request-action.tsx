import type { ReactNode } from "react";
import { nextStepId } from "./next-step-note";

/** One action that an admin can take. */
export interface RequestActionProps {
  title: string;
  hint: string;
  /** expanded, because its form was rejected */
  isOpen?: boolean;
  /** the next step: expanded, and the target of the note's link */
  isNext?: boolean;
  children: ReactNode;
}

/** A collapsed section, so that nothing happens by a slip. Works without scripts. */
export function RequestAction({ title, hint, isOpen = false, isNext = false, children }: RequestActionProps) {
  return (
    <details open={isOpen || isNext} id={isNext ? nextStepId : undefined} className="border-t border-(--line) pt-2">
      <summary className="summary-button">{title}</summary>
      <p className="mt-1 mb-3 text-(--muted)">{hint}</p>
      {children}
    </details>
  );
}
