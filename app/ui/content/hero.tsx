import type { ReactNode } from "react";
import { Face, type FaceProps } from "./portrait";
import { VitalLine, type VitalLineShape } from "./vital-line";

/** Props of {@link Hero}. */
export interface HeroProps {
  /** the small line above the heading, e.g. the page's name */
  eyebrow?: string | undefined;
  headline: string;
  lead: string;
  line: VitalLineShape;
  /** a drawing or portrait in the right third, where the line ends; without one, the lead is larger */
  picture?: ReactNode;
  /** the person who reads messages; null until the facts give a name */
  face?: FaceProps | null;
  /** buttons */
  children: ReactNode;
}

/** The top of a page: heading, lead and buttons on the left, with the vital line below them to the picture or the right edge. */
export function Hero({ eyebrow, headline, lead, line, picture, face, children }: HeroProps) {
  return (
    <div className={picture ? "hero hero-pictured" : "hero"}>
      <VitalLine shape={line} className="hero-line" />
      <div className="wrap relative">
        <div>
          {eyebrow ? <p className="eyebrow">{eyebrow}</p> : null}
          <h1 className="max-w-[11.9em] text-(length:--text-hero)">{headline}</h1>
          <p className={`lead mt-7 max-w-[33.5em] ${picture ? "text-xl" : "promise"}`}>{lead}</p>
          <p className="mt-9 flex flex-wrap gap-4">{children}</p>
          {face ? <Face {...face} /> : null}
        </div>
        {picture ? <div className="picture">{picture}</div> : null}
      </div>
    </div>
  );
}
