import type { ReactNode } from "react";
import { VitalLine, type VitalLineShape } from "./vital-line";

/** Props of {@link Hero}. */
export interface HeroProps {
  /** the small line above the heading, e.g. the page's name */
  eyebrow?: string;
  headline: string;
  lead: string;
  line?: VitalLineShape;
  /** buttons */
  children?: ReactNode;
}

/** The top of a page: heading and lead on the left, with the vital line behind them to the right edge. */
export function Hero({ eyebrow, headline, lead, line, children }: HeroProps) {
  return (
    <div className="hero">
      {line ? <VitalLine shape={line} className="hero-line" /> : null}
      <div className="wrap relative">
        {eyebrow ? <p className="eyebrow">{eyebrow}</p> : null}
        <h1 className="max-w-[11.9em] text-(length:--text-hero)">{headline}</h1>
        <p className="lead mt-7 max-w-[33.5em] text-xl">{lead}</p>
        {children ? <p className="mt-9 flex flex-wrap gap-4">{children}</p> : null}
      </div>
    </div>
  );
}
