import { company } from "~/content/company";
import { founder } from "~/content/founder";
import { metaFor } from "~/content/page-meta";
import { investorsPage as page } from "~/content/pages/investors";
import { personSection } from "~/content/pages/person";
import { CallToAction } from "~/ui/content/call-to-action";
import { Drawing } from "~/ui/content/drawing";
import { Hero } from "~/ui/content/hero";
import { keepHyphenated } from "~/ui/content/keep-hyphenated";
import { ItemList } from "~/ui/content/item-list";
import { PersonSection } from "~/ui/content/person-section";
import { PointList } from "~/ui/content/point-list";
import { ProofRow } from "~/ui/content/proof-row";
import { Section } from "~/ui/content/section";

export const meta = metaFor(page);

export default function InvestorsPage() {
  const { heroActions, types, reasons, focus, compliance, closing } = page;
  return (
    <>
      <Hero {...page} eyebrow={page.label} line="climb" picture={<Drawing {...page.drawing} />} face={founder}>
        {heroActions.map((action, index) => (
          <a key={action.label} href={action.path} className={index === 0 ? "button" : "button button-quiet"}>
            {action.label}
          </a>
        ))}
      </Hero>
      <ProofRow proof={company.proof} />
      <Section tone="mist" title={types.title}>
        <ItemList items={types.items} isLed />
      </Section>
      <Section title={reasons.title}>
        <PointList points={reasons.items} />
      </Section>
      <Section tone="night" title={focus.title} lead={focus.lead}>
        <ItemList items={focus.items} />
      </Section>
      <Section tone="mist" title={compliance.title}>
        <p className="mt-6 max-w-[43.5em]">{keepHyphenated(compliance.text)}</p>
      </Section>
      {personSection ? <PersonSection {...personSection} /> : null}
      <CallToAction title={closing.title} text={closing.text} primary={closing} neighbor={page.neighbor} />
    </>
  );
}
