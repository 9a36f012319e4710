import type { ReactNode } from "react";
import type { ChromeLink } from "../frame/chrome-link";
import { CallToAction } from "./call-to-action";
import { Hero } from "./hero";
import { type Item, ItemList } from "./item-list";
import { Outcome } from "./pull-quote";
import { Section } from "./section";
import type { DrawingProps } from "./drawing";
import type { VitalLineShape } from "./vital-line";

/** Props of {@link OfferingPageView}. The pages differ only in their text and their part of the line. */
export interface OfferingPageViewProps {
  page: {
    line: VitalLineShape;
    label: string;
    headline: string;
    lead: string;
    offeringsTitle: string;
    offerings: readonly Item[];
    outcomeTitle: string;
    outcome: string;
    drawing?: DrawingProps | undefined;
    neighbor: ChromeLink;
    action: { title: string; text: string; label: string; path: string };
  };
  /** a note among the offerings */
  example?: Item | undefined;
  /** sections before the outcome, which ends the page's own text */
  children?: ReactNode;
}

/** An audience or service page: hero, offerings, outcome, call to action. */
export function OfferingPageView({ page, example, children }: OfferingPageViewProps) {
  return (
    <>
      <Hero eyebrow={page.label} headline={page.headline} lead={page.lead} line={page.line}>
        <a href={page.action.path} className="button">
          {page.action.label}
        </a>
      </Hero>
      <Section tone="mist" title={page.offeringsTitle}>
        <ItemList items={page.offerings} note={example} />
      </Section>
      {children}
      <Outcome title={page.outcomeTitle} text={page.outcome} drawing={page.drawing} />
      <CallToAction title={page.action.title} text={page.action.text} primary={page.action} neighbor={page.neighbor} />
    </>
  );
}
