import { metaFor } from "~/content/page-meta";
import { dataRightsPage } from "~/content/pages/data-rights";
import { ItemList } from "~/ui/item-list";
import { Section } from "~/ui/section";

export const meta = metaFor(dataRightsPage);

export default function DataRightsPage() {
  const { title, lead, rights, asking, deadline, identity, help } = dataRightsPage;
  return (
    <article className="legal-page">
      <div className="wrap legal-head">
        <h1 className="text-(length:--text-hero)">{title}</h1>
        <p className="mt-7 max-w-[52ch] text-xl">{lead}</p>
      </div>
      <Section tone="mist" id="your-rights" title={rights.title}>
        <ItemList items={rights.items} />
      </Section>
      <Section id="make-a-request" title={asking.title} lead={asking.text}>
        <ul className="request-ways">
          {asking.ways.map(({ label, path, hint }) => (
            <li key={path}>
              <a href={path}>{label}</a>
              <p>{hint}</p>
            </li>
          ))}
        </ul>
      </Section>
      <div className="band tone-mist">
        <div className="wrap legal-columns">
          <section aria-labelledby="deadline-title">
            <h2 id="deadline-title">{deadline.title}</h2>
            <ul className="deadline">
              {deadline.steps.map(({ value, text }) => (
                <li key={value}>
                  <strong>{value}</strong> {text}
                </li>
              ))}
            </ul>
            <p>{deadline.text}</p>
          </section>
          <section aria-labelledby="identity-title">
            <h2 id="identity-title">{identity.title}</h2>
            <p>{identity.text}</p>
          </section>
        </div>
      </div>
      <Section id="help" title={help.title}>
        <p className="legal-measure mt-5">
          {help.before}
          <a href={help.link.path}>{help.link.label}</a>
          {help.after}
        </p>
        <p className="legal-measure mt-4">
          {help.policy.before}
          <a href={help.policy.path}>{help.policy.label}</a>
          {help.policy.after}
        </p>
      </Section>
    </article>
  );
}
