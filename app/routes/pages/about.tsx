import { useRouteLoaderData } from "@remix-run/react";
import { company, findLinkedPage } from "~/content/company";
import { founderMark, founder as namedFounder } from "~/content/founder";
import { peopleSection } from "~/content/optional-sections";
import { metaFor } from "~/content/page-meta";
import { aboutPage as page } from "~/content/pages/about";
import { CallToAction } from "~/ui/content/call-to-action";
import { Drawing } from "~/ui/content/drawing";
import { Hero } from "~/ui/content/hero";
import { PeopleSection } from "~/ui/content/optional-sections";
import { Portrait } from "~/ui/content/portrait";
import { Section } from "~/ui/content/section";

export const meta = metaFor(page, "founder");

export default function AboutPage() {
  const { drawing, story, founder, philosophy, closing } = page;
  // The type is that of the root loader's data.
  const siteUrl = useRouteLoaderData<{ siteUrl: string }>("root")?.siteUrl;
  const linkedin = findLinkedPage(company.founder.linkedin, siteUrl);
  const portrait = (
    <Portrait src={founderMark.photo} alt={founder.portraitAlt} initials={founderMark.initials} isEarly />
  );
  const chairs = <Drawing {...drawing} />;
  return (
    <>
      <Hero
        eyebrow={namedFounder ? `${namedFounder.name} · ${namedFounder.role}` : page.label}
        headline={page.headline}
        lead={page.lead}
        line="whole"
        picture={namedFounder ? portrait : chairs}
      >
        <a href={closing.path} className="button">
          {closing.title}
        </a>
      </Hero>
      <Section tone="mist" title={story.title}>
        <div className="mt-8 grid items-center gap-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <Prose paragraphs={story.paragraphs} />
          {namedFounder ? chairs : null}
        </div>
      </Section>
      <Section title={founder.title}>
        <div className="mt-10 grid gap-10 md:grid-cols-12">
          <div className="md:col-span-4">
            {namedFounder ? null : portrait}
            {namedFounder ? <p className="font-display text-2xl">{namedFounder.name}</p> : null}
            <p className={`text-(--muted)${namedFounder ? "" : " mt-3"}`}>{company.founder.role}</p>
            {linkedin === null ? null : (
              <p className="mt-3">
                <a href={linkedin} className="inline-block py-2">
                  {founder.linkedinLabel}
                </a>
              </p>
            )}
          </div>
          <div className="md:col-span-7 md:col-start-6">
            <Prose paragraphs={founder.paragraphs} />
          </div>
        </div>
      </Section>
      {peopleSection ? <PeopleSection {...peopleSection} /> : null}
      <div className="band tone-night">
        <figure className="wrap">
          <blockquote className="max-w-[17.5em] font-display text-(length:--text-quote) leading-tight">
            <p className="-indent-[0.42em] text-balance">{`“${philosophy.quote}”`}</p>
          </blockquote>
          <figcaption className="mt-6 text-(--muted) text-balance">{philosophy.attribution}</figcaption>
        </figure>
      </div>
      <CallToAction title={closing.title} text={closing.text} primary={closing} />
    </>
  );
}

/** Paragraphs with a comfortable line length. */
function Prose({ paragraphs }: { paragraphs: readonly string[] }) {
  return (
    <div className="grid max-w-[41em] gap-5">
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </div>
  );
}
