import type { ReactNode } from "react";

/** Props of {@link SentPage}. */
export interface SentPageProps {
  title: string;
  /** what is left to do, or promised */
  lead?: string;
  /** advice if no email comes, before the address to write to */
  help: string;
  email: string;
  /** the way on */
  next: { label: string; path: string };
  children?: ReactNode;
}

/** Replaces a form after it was sent: the next step as the page's heading, help if nothing comes, and one way on. */
export function SentPage({ title, lead, help, email, next, children }: SentPageProps) {
  return (
    <div className="max-w-2xl">
      <h1 className="mt-6 text-(length:--text-title)">{title}</h1>
      {lead ? <p className="mt-5 max-w-[38.5em] text-xl">{lead}</p> : null}
      <p className="mt-5 max-w-[38.5em]">
        {help} <a href={`mailto:${email}`}>{email}</a>
      </p>
      <p className="mt-8">
        <a href={next.path} className="button button-quiet">
          {next.label}
        </a>
      </p>
      {children}
    </div>
  );
}
