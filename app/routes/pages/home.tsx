import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { company } from "~/content/company";
import { founder } from "~/content/founder";
import { howItStarts } from "~/content/how-it-starts";
import { metaFor } from "~/content/page-meta";
import { clientLine, engagementSection, peopleSection } from "~/content/optional-sections";
import { homePage as page } from "~/content/pages/home";
import { personSection } from "~/content/pages/person";
import { NewestArticles } from "~/features/insights/newest-articles";
import { findNewest } from "~/features/insights/newest.server";
import { ActionLinks } from "~/ui/content/action-links";
import { CallToAction } from "~/ui/content/call-to-action";
import { getSite } from "~/server/default-site.server";
import { Hero } from "~/ui/content/hero";
import { keepHyphenated } from "~/ui/content/keep-hyphenated";
import { ClientLine, EngagementSection, PeopleSection } from "~/ui/content/optional-sections";
import { PersonSection } from "~/ui/content/person-section";
import { PointList } from "~/ui/content/point-list";
import { ProofRow } from "~/ui/content/proof-row";
import { Section } from "~/ui/content/section";
import { StepsSection } from "~/ui/content/steps";
import { LineSegment } from "~/ui/content/vital-line";

export const meta = metaFor(page, "site");

/** Finds the newest articles, if the firm publishes any. */
export function loader({ context }: LoaderFunctionArgs) {
  return { newest: findNewest(getSite(context)) };
}

export default function HomePage() {
  const { newest } = useLoaderData<typeof loader>();
  return (
    <>
      <Hero headline={page.headline} lead={page.lead} line="whole" face={founder}>
        <ActionLinks primary={page.primary} secondary={page.secondary} />
      </Hero>
      <ProofRow proof={company.proof} />
      <Section tone="mist" id={page.services.id} title={page.services.title} lead={page.services.lead}>
        <ServiceCards />
      </Section>
      <Section id={page.audiences.id} title={page.audiences.title} lead={page.audiences.lead}>
        <AudienceCards />
      </Section>
      <Section tone="night" title={page.edge.title}>
        <PointList points={page.edge.points} />
      </Section>
      {personSection ? <PersonSection {...personSection} /> : null}
      {peopleSection ? <PeopleSection {...peopleSection} /> : null}
      {howItStarts ? <StepsSection {...howItStarts} /> : null}
      {engagementSection ? <EngagementSection {...engagementSection} /> : null}
      {clientLine ? <ClientLine {...clientLine} /> : null}
      <NewestArticles articles={newest} />
      <CallToAction {...page.closing} />
    </>
  );
}

/** The service cards. On a desktop they are side by side, and their segments join into one line. */
function ServiceCards() {
  return (
    <ul className="service-cards">
      {page.services.cards.map((card) => (
        <li key={card.path}>
          <a href={card.path} className="service-card">
            <LineSegment segment={card.line} className="service-line" />
            <h3 className="text-3xl">{card.label}</h3>
            <p className="mt-3">{card.text}</p>
            <span className="more">{card.more}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The audience cards, with large numerals. An ordered list would number them twice in text browsers. */
function AudienceCards() {
  return (
    <ul className="audience-cards">
      {page.audiences.cards.map((card, index) => (
        <li key={card.path}>
          <a href={card.path} className="audience-card">
            <span className="audience-numeral">{index + 1}</span>
            <h3 className="text-2xl">{keepHyphenated(card.label)}</h3>
            <p className="mt-2 max-w-[28em]">{card.text}</p>
            <span className="more">{card.more}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
