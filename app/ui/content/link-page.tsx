import type { ReactNode } from "react";

/** Props of {@link LinkPage}. */
export interface LinkPageProps {
  title: string;
  lead?: string;
  /** the ways on, at the end */
  links?: readonly { label: string; path: string }[];
  children?: ReactNode;
}

/** Layout of a page that a secret link opens: one column with a heading and the actions. */
export function LinkPage({ title, lead, links, children }: LinkPageProps) {
  return (
    <div className="wrap py-12 *:max-w-2xl md:py-20">
      <h1 className="text-(length:--text-title)">{title}</h1>
      {lead ? <p className="mt-5 max-w-[38.5em] text-xl">{lead}</p> : null}
      {children}
      {links ? (
        <p className="link-ways">
          {links.map(({ label, path }) => (
            <a key={path} href={path}>
              {label}
            </a>
          ))}
        </p>
      ) : null}
    </div>
  );
}
