import type { ReactNode } from "react";

/** One thing that an admin can do. */
export interface RequestActionProps {
  title: string;
  hint: string;
  /** shown at once, because its form came back with a mistake */
  isOpen?: boolean;
  children: ReactNode;
}

/** Behind a summary, so that nothing is done by a slip and everything works without scripts. */
export function RequestAction({ title, hint, isOpen = false, children }: RequestActionProps) {
  return (
    <details open={isOpen} className="border-t border-(--line) pt-2">
      <summary className="summary-button">{title}</summary>
      <p className="mt-1 mb-3 text-(--muted)">{hint}</p>
      {children}
    </details>
  );
}
