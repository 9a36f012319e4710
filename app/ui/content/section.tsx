import type { ReactNode } from "react";

/** A band of a page: its ground, an anchor, a heading. */
export interface SectionProps {
  /** paper is the page itself; night is a deep green, one such section a page at most */
  tone?: "paper" | "mist" | "night";
  /** makes `/#id` a target */
  id?: string;
  title: string;
  lead?: string;
  children?: ReactNode;
}

/** A titled band with the rhythm that all pages share. */
export function Section({ tone = "paper", id, title, lead, children }: SectionProps) {
  const headingId = `${id ?? title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}-title`;
  return (
    <section id={id} aria-labelledby={headingId} className={`band tone-${tone}`}>
      <div className="wrap">
        <h2 id={headingId} className="max-w-[22ch] text-(length:--text-title)">
          {title}
        </h2>
        {lead ? <p className="lead mt-5 max-w-[60ch] text-xl">{lead}</p> : null}
        {children}
      </div>
    </section>
  );
}
