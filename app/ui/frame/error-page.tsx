import type { ReactNode } from "react";

/** Props of {@link ErrorPage}: what happened, what to do, and how to refer to it. */
export interface ErrorPageProps {
  status: number;
  /** a short text above the title */
  eyebrow?: string | undefined;
  title: string;
  text: string;
  /** shown so that a visitor can report the failure; null if there is nothing to report */
  requestId: string | null;
  /** shown below the text */
  children?: ReactNode;
  /** shown below the links */
  help?: ReactNode;
  /** groups of links to pages that the visitor may have wanted */
  ways?: readonly { label: string; links: readonly { label: string; path: string }[] }[];
}

/** The body of every error page, including not-found. */
export function ErrorPage({ status, eyebrow, title, text, requestId, ways = [], children, help }: ErrorPageProps) {
  return (
    <div className="wrap py-16 md:py-28">
      {eyebrow ? <p className="eyebrow">{eyebrow}</p> : null}
      <h1 className="text-(length:--text-hero)">{title}</h1>
      <p className="mt-6 max-w-[38.5em] text-xl">{text}</p>
      {requestId ? (
        <p className="mt-4 text-(--muted)">
          If it keeps happening, tell us this ID: <code>{requestId}</code>
        </p>
      ) : null}
      {children}
      {ways.length === 0 ? null : (
        <div className="mt-8 grid gap-8 sm:grid-cols-2 md:max-w-3xl">
          {ways.map(({ label, links }) => (
            <section key={label} aria-label={label}>
              <h2 className="text-xl">{label}</h2>
              <ul className="mt-2">
                {links.map((link) => (
                  <li key={link.path}>
                    <a href={link.path} className="inline-block py-2">
                      {link.label}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
      {help}
      <p className="mt-10">
        <a className="button" href="/">
          {status === 404 ? "Return to Home" : "Go to the home page"}
        </a>
      </p>
    </div>
  );
}
