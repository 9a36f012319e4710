import type { ReactNode } from "react";
import { keepHyphenated } from "./keep-hyphenated";

/** Props of {@link Section}. */
export interface SectionProps {
  /** background: paper is the page's own; night is a deep green, at most once per page */
  tone?: "paper" | "mist" | "night";
  /** anchor, so that links can target `/#id` */
  id?: string;
  title: string;
  lead?: string;
  children?: ReactNode;
}

/** A titled section with the spacing that all pages share. */
export function Section({ tone = "paper", id, title, lead, children }: SectionProps) {
  const headingId = `${id ?? title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}-title`;
  return (
    <section id={id} aria-labelledby={headingId} className={`band tone-${tone}`}>
      <div className="wrap">
        <h2 id={headingId} className="max-w-[14.5em] text-(length:--text-title)">
          {title}
        </h2>
        {lead ? <p className="lead mt-5 max-w-[38.5em] text-xl">{keepHyphenated(lead)}</p> : null}
        {children}
      </div>
    </section>
  );
}
