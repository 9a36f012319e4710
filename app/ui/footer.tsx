import type { ChromeLink } from "./chrome-link";

/** One column of links in the footer. */
export interface FooterColumn {
  title: string;
  links: readonly ChromeLink[];
}

/** What the foot of every page shows. */
export interface FooterProps {
  name: string;
  tagline: string;
  columns: readonly FooterColumn[];
  currentPath: string;
  /** of the copyright line; unknown while the page's own data is missing */
  year: number | undefined;
}

/** The foot of every page. */
export function Footer({ name, tagline, columns, currentPath, year }: FooterProps) {
  return (
    <footer className="site-footer tone-night">
      <div className="wrap grid gap-10 py-14 md:grid-cols-12">
        <div className="md:col-span-5">
          <p className="font-display text-2xl">{name}</p>
          <p className="mt-3 max-w-[34ch] text-(--muted)">{tagline}</p>
        </div>
        <div className="grid gap-8 sm:grid-cols-3 md:col-span-7">
          {columns.map((column) => (
            <nav key={column.title} aria-label={column.title}>
              <p className="font-semibold">{column.title}</p>
              <ul className="mt-2">
                {column.links.map((link) => (
                  <li key={link.path}>
                    <a
                      href={link.path}
                      aria-current={link.path === currentPath ? "page" : undefined}
                      className="chrome-link"
                    >
                      {link.label}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
        <p className="text-(--muted) md:col-span-12">{`© ${year ?? ""} ${name}`}</p>
      </div>
    </footer>
  );
}
