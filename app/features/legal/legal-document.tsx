import type { ReactNode } from "react";
import { legalWords } from "~/content/privacy/legal-words";
import type { parseLegalDocument } from "./legal-document.server";

/** Props of {@link LegalDocument}. The HTML is rendered from our own Markdown, which may not contain HTML. */
export interface LegalDocumentProps {
  document: ReturnType<typeof parseLegalDocument>;
  /** content at the end of a section, by the section's id */
  inserts?: Readonly<Record<string, ReactNode>>;
}

/** A numbered legal text with version, date, table of contents, and earlier versions at the end. */
export function LegalDocument({ document, inserts = {} }: LegalDocumentProps) {
  const { title, version, lastUpdated, earlier, introduction, sections } = document;
  return (
    <article className="wrap legal">
      <div className="legal-head">
        <h1 className="text-(length:--text-hero)">{title}</h1>
        <p className="legal-version">
          {`${legalWords.version} ${version} · ${legalWords.lastUpdated} `}
          <time dateTime={lastUpdated.iso}>{lastUpdated.text}</time>
        </p>
      </div>
      <LegalContents sections={sections} />
      <div className="legal-text">
        <div className="legal-introduction" dangerouslySetInnerHTML={{ __html: introduction }} />
        {/* No accessible names: fourteen landmarks would hide the four that help with navigation. */}
        {sections.map(({ id, number, title: heading, html }) => (
          <section key={id} id={id}>
            <h2>
              <span className="legal-number">{`${number}.`}</span>
              {` ${heading}`}
            </h2>
            <div dangerouslySetInnerHTML={{ __html: html }} />
            {inserts[id]}
          </section>
        ))}
        {earlier.map((before) => (
          <p key={before.version} className="legal-version">
            {`${legalWords.version} ${before.version}: ${legalWords.lastUpdated.toLowerCase()} `}
            <time dateTime={before.lastUpdated.iso}>{before.lastUpdated.text}</time>
          </p>
        ))}
      </div>
    </article>
  );
}

/**
 * The table of contents. Collapsed on a phone, where it would push the text off the screen; the style sheet opens it on
 * a desktop.
 */
function LegalContents({ sections }: Pick<LegalDocumentProps["document"], "sections">) {
  const title = legalWords.contents;
  return (
    <nav aria-label={title} className="legal-contents">
      <details>
        <summary>{title}</summary>
        <ul>
          {sections.map(({ id, number, title: heading }) => (
            <li key={id}>
              <a href={`#${id}`}>
                <span>{`${number}.`}</span>
                {` ${heading}`}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}
