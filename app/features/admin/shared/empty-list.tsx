import type { ReactNode } from "react";

/** Says why a list is empty. */
export function EmptyList({ children }: { children: ReactNode }) {
  return <div className="rounded-xl border border-(--line) bg-(--raised) px-6 py-12 text-center">{children}</div>;
}
