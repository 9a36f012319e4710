import type { ReactNode } from "react";

/** Layout of a page that a secret link opens: one column with a heading and the actions. */
export function LinkPage({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  return (
    <div className="wrap py-12 *:max-w-2xl md:py-20">
      <h1 className="text-(length:--text-title)">{title}</h1>
      {lead ? <p className="mt-5 max-w-[38.5em] text-xl">{lead}</p> : null}
      {children}
    </div>
  );
}
