import type { ReactNode } from "react";
import { nextStepId } from "./next-step-note";

/** One thing that an admin can do. */
export interface RequestActionProps {
  title: string;
  hint: string;
  /** shown at once, because its form came back with a mistake */
  isOpen?: boolean;
  /** what has to be done next: open, and where the link of the note leads */
  isNext?: boolean;
  children: ReactNode;
}

/** Behind a summary, so that nothing is done by a slip and everything works without scripts. */
export function RequestAction({ title, hint, isOpen = false, isNext = false, children }: RequestActionProps) {
  return (
    <details open={isOpen || isNext} id={isNext ? nextStepId : undefined} className="border-t border-(--line) pt-2">
      <summary className="summary-button">{title}</summary>
      <p className="mt-1 mb-3 text-(--muted)">{hint}</p>
      {children}
    </details>
  );
}
