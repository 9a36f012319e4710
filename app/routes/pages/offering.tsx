import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useMatches } from "@remix-run/react";
import { findArtifactSection } from "~/content/artifacts";
import { company } from "~/content/company";
import { founder } from "~/content/founder";
import { howItStarts } from "~/content/how-it-starts";
import { metaFor } from "~/content/page-meta";
import { clientLine, engagementSection } from "~/content/optional-sections";
import { buildPage } from "~/content/pages/build";
import { findExample, isAudiencePage } from "~/content/pages/examples";
import { enterprisesPage } from "~/content/pages/enterprises";
import { growthStagePage } from "~/content/pages/growth-stage";
import type { OfferingPage } from "~/content/pages/offering-page";
import { personSection } from "~/content/pages/person";
import { scalePage } from "~/content/pages/scale";
import { smallBusinessPage } from "~/content/pages/small-business";
import { startupsPage } from "~/content/pages/startups";
import { valuePage } from "~/content/pages/value";
import { NewestArticles } from "~/features/insights/newest-articles";
import { findNewest } from "~/features/insights/newest.server";
import { getSite } from "~/server/default-site.server";
import { ActionLinks } from "~/ui/content/action-links";
import { ArtifactSection } from "~/ui/content/artifact";
import { CallToAction } from "~/ui/content/call-to-action";
import { Drawing } from "~/ui/content/drawing";
import { ExampleOfWork } from "~/ui/content/example-of-work";
import { Hero } from "~/ui/content/hero";
import { ItemList } from "~/ui/content/item-list";
import { ClientLine, EngagementSection } from "~/ui/content/optional-sections";
import { PersonSection } from "~/ui/content/person-section";
import { ProofRow } from "~/ui/content/proof-row";
import { Section } from "~/ui/content/section";
import { StepsSection } from "~/ui/content/steps";

const pages = [startupsPage, smallBusinessPage, growthStagePage, enterprisesPage, buildPage, scalePage, valuePage];

export const meta: MetaFunction = (route) => metaFor(getPage(route.matches), "service")(route);

/** Finds the newest articles for the page's audience. */
export function loader({ context, request }: LoaderFunctionArgs) {
  return { newest: findNewest(getSite(context), new URL(request.url).pathname.slice(1)) };
}

/** An audience or service page: hero, offerings, outcome, call to action. The pages differ only in their text. */
export default function OfferingRoutePage() {
  const page = getPage(useMatches());
  const { newest } = useLoaderData<typeof loader>();
  const artifact = findArtifactSection(page.path);
  const isForAudience = isAudiencePage(page.path);
  const example = findExample(page.path);
  return (
    <>
      <Hero {...page} eyebrow={page.label} picture={<Drawing {...page.drawing} />} face={founder}>
        <ActionLinks primary={page.action} />
      </Hero>
      {isForAudience ? <ProofRow proof={company.proof} /> : null}
      {example ? <ExampleOfWork {...example} /> : null}
      <Section tone="mist" title={page.offeringsTitle}>
        <ItemList items={page.offerings} isLed />
      </Section>
      {isForAudience ? (
        <>
          {personSection ? <PersonSection {...personSection} /> : null}
          {howItStarts ? <StepsSection {...howItStarts} /> : null}
          {engagementSection ? <EngagementSection {...engagementSection} /> : null}
          {clientLine ? <ClientLine {...clientLine} /> : null}
        </>
      ) : null}
      {artifact ? <ArtifactSection {...artifact} /> : null}
      <NewestArticles articles={newest} />
      <Outcome {...page} />
      <CallToAction title={page.action.title} text={page.action.text} primary={page.action} neighbor={page.neighbor} />
    </>
  );
}

/**
 * The outcome statement at the end of a page (REQUIREMENTS 2.5), in its dark section. On a phone it can have more lines
 * than a browser balances.
 */
function Outcome({ outcomeTitle, outcome }: OfferingPage) {
  return (
    <section aria-labelledby="outcome-title" className="band tone-night">
      <div className="wrap">
        <h2 id="outcome-title" className="eyebrow">
          {outcomeTitle}
        </h2>
        <p className="max-w-[17.5em] font-display text-(length:--text-quote) leading-tight text-balance max-sm:text-pretty">
          {outcome}
        </p>
      </div>
    </section>
  );
}

/** Gets a page by its route's id, which remix.config.js sets to the address. */
function getPage(matches: readonly { id: string }[]): OfferingPage {
  const page = pages.find(({ path }) => path === matches.at(-1)?.id);
  if (page === undefined) throw new Error("app/routes.ts has an address without an offering page");
  return page;
}
