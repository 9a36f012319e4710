import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findArtifactSection } from "~/content/artifacts";
import { company } from "~/content/company";
import { founder } from "~/content/founder";
import { metaFor } from "~/content/page-meta";
import { investorsPage as page } from "~/content/pages/investors";
import { personSection } from "~/content/pages/person";
import { NewestArticles } from "~/features/insights/newest-articles";
import { findNewest } from "~/features/insights/newest.server";
import { getSite } from "~/server/default-site.server";
import { ActionLinks } from "~/ui/content/action-links";
import { ArtifactSection } from "~/ui/content/artifact";
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

const artifact = findArtifactSection(page.path);

/** Finds the newest articles for investors. */
export function loader({ context }: LoaderFunctionArgs) {
  return { newest: findNewest(getSite(context), "investors") };
}

export default function InvestorsPage() {
  const { newest } = useLoaderData<typeof loader>();
  const { actions, network, types, reasons, focus, compliance, closing } = page;
  return (
    <>
      <Hero {...page} eyebrow={page.label} line="climb" picture={<Drawing {...page.drawing} />} face={founder}>
        <ActionLinks {...actions} />
      </Hero>
      <ProofRow proof={company.proof} />
      <Section title={network.title}>
        <ul className="network-points">
          {network.points.map(({ title, text }) => (
            <li key={title}>
              <h3 className="text-2xl">{title}</h3>
              <p className="mt-2">{text}</p>
            </li>
          ))}
        </ul>
        <p className="mt-9">
          <ActionLinks primary={actions.primary} />
        </p>
      </Section>
      <Section tone="mist" title={types.title}>
        <ItemList items={types.items} isLed />
      </Section>
      <Section title={reasons.title}>
        <PointList points={reasons.items} />
      </Section>
      {artifact ? <ArtifactSection {...artifact} /> : null}
      <Section tone="night" title={focus.title} lead={focus.lead}>
        <dl className="field-list">
          {focus.items.map(({ title, text }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section tone="mist" title={compliance.title}>
        <p className="mt-6 max-w-[43.5em]">{keepHyphenated(compliance.text)}</p>
      </Section>
      {personSection ? <PersonSection {...personSection} /> : null}
      <NewestArticles articles={newest} />
      <CallToAction {...closing} neighbor={page.neighbor} />
    </>
  );
}
