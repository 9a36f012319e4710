import type { ReactNode } from "react";

/** Props of {@link Statement}: sections of paragraphs and lists, and the date of the statement. */
export interface StatementProps {
  title: string;
  lead: string;
  /** `words` precede the date */
  preparedOn: { words: string; iso: string; day: string };
  sections: readonly { title: string; paragraphs: readonly string[]; items?: readonly string[] }[];
  /** shown after the sections */
  children?: ReactNode;
}

/** A text in the style of the legal pages, short enough to need no section numbers and no table of contents. */
export function Statement({ title, lead, preparedOn, sections, children }: StatementProps) {
  return (
    <article className="legal-page">
      <div className="wrap legal-text py-12 md:py-20">
        <h1 className="text-(length:--text-hero)">{title}</h1>
        <p className="mt-7 max-w-[33.5em] text-xl">{lead}</p>
        <p className="legal-version">
          {`${preparedOn.words} `}
          <time dateTime={preparedOn.iso}>{preparedOn.day}</time>
        </p>
        {sections.map((section) => (
          <section key={section.title}>
            <h2>{section.title}</h2>
            {section.paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
            {section.items ? (
              <ul>
                {section.items.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            ) : null}
          </section>
        ))}
        {children}
      </div>
    </article>
  );
}
