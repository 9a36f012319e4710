import { company } from "~/content/company";
import { howItStarts } from "~/content/how-it-starts";
import { metaFor } from "~/content/page-meta";
import { homePage as page } from "~/content/pages/home";
import { personSection } from "~/content/pages/person";
import { AudienceCards } from "~/ui/content/audience-cards";
import { CallToAction } from "~/ui/content/call-to-action";
import { Hero } from "~/ui/content/hero";
import { PersonSection } from "~/ui/content/person-section";
import { PointList } from "~/ui/content/point-list";
import { ProofList } from "~/ui/content/proof-list";
import { Section } from "~/ui/content/section";
import { ServiceCards } from "~/ui/content/service-cards";
import { StepsSection } from "~/ui/content/steps";

export const meta = metaFor(page, "site");

export default function HomePage() {
  return (
    <>
      <Hero headline={page.headline} lead={page.lead} line="whole">
        <a href={page.primary.path} className="button">
          {page.primary.label}
        </a>{" "}
        <a href={page.secondary.path} className="button button-quiet">
          {page.secondary.label}
        </a>
      </Hero>
      <Section tone="mist" id={page.services.id} title={page.services.title} lead={page.services.lead}>
        <ServiceCards cards={page.services.cards} />
      </Section>
      <Section id={page.audiences.id} title={page.audiences.title} lead={page.audiences.lead}>
        <AudienceCards cards={page.audiences.cards} />
      </Section>
      <Section tone="night" title={page.edge.title} lead={page.edge.lead}>
        <PointList points={page.edge.points} />
        <ProofList proofs={company.proof} />
      </Section>
      {personSection ? <PersonSection {...personSection} /> : null}
      {howItStarts ? <StepsSection {...howItStarts} /> : null}
      <CallToAction {...page.closing} />
    </>
  );
}
