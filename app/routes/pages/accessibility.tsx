import { company } from "~/content/company";
import { metaFor } from "~/content/page-meta";
import { accessibilityPage as page } from "~/content/pages/accessibility";
import { formatDay } from "~/lib/dates";

export const meta = metaFor(page);

/** A text in the style of the legal pages, short enough to need no section numbers and no table of contents. */
export default function AccessibilityPage() {
  const { title, lead, preparedOn, sections, contact } = page;
  return (
    <article className="legal-page">
      <div className="wrap legal-text py-12 md:py-20">
        <h1 className="text-(length:--text-hero)">{title}</h1>
        <p className="mt-7 max-w-[33.5em] text-xl">{lead}</p>
        <p className="legal-version">
          {`${preparedOn.words} `}
          <time dateTime={preparedOn.day}>{formatDay(preparedOn.day)}</time>
        </p>
        {sections.map((section) => (
          <section key={section.title}>
            <h2>{section.title}</h2>
            {section.paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
            {"items" in section ? (
              <ul>
                {section.items.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            ) : null}
          </section>
        ))}
        <section>
          <h2>{contact.title}</h2>
          <p>
            {contact.before}
            <a href={contact.link.path}>{contact.link.label}</a>
            {contact.between}
            <a href={`mailto:${company.email}`}>{company.email}</a>
            {contact.after}
          </p>
        </section>
      </div>
    </article>
  );
}
