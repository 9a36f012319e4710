import { type ReactNode, useState } from "react";
import { company } from "~/content/company";
import { contactPage } from "~/content/pages/contact";

interface AfterSendingProps {
  /** the page was loaded after a message was sent */
  wasSent: boolean;
  /** the form for another message */
  again: ReactNode;
  /** the page as shown before anything was sent */
  children: ReactNode;
}

/**
 * Shows the page, or after a message was sent, the next steps, with the form collapsed in a `<details>`. Keeps its
 * initial state: moving the form while someone types would lose their text.
 */
export function AfterSending({ wasSent, again, children }: AfterSendingProps) {
  const [isSent] = useState(wasSent);
  if (!isSent) return children;
  const { title, lead, spam, links, again: writeAgain } = contactPage.sent;
  return (
    <div className="max-w-2xl">
      <h1 className="mt-6 text-(length:--text-hero)">{title}</h1>
      <p className="mt-5 max-w-[38.5em] text-xl">{lead}</p>
      <p className="mt-4 max-w-[38.5em]">
        {spam} <a href={`mailto:${company.email}`}>{company.email}</a>
      </p>
      <ul className="mt-8 flex flex-wrap gap-3">
        {links.map(({ label, to }) => (
          <li key={to}>
            <a href={to} className="button button-quiet">
              {label}
            </a>
          </li>
        ))}
      </ul>
      <details className="mt-10 border-t border-(--line) pt-2">
        <summary className="summary-button">{writeAgain}</summary>
        <div className="mt-4">{again}</div>
      </details>
    </div>
  );
}
