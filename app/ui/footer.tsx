import type { ChromeLink } from "./header";

/** What the foot of every page shows. */
export interface FooterProps {
  name: string;
  links: readonly ChromeLink[];
  /** of the copyright line; unknown while the page's own data is missing */
  year: number | undefined;
}

/** The foot of every page. */
export function Footer({ name, links, year }: FooterProps) {
  return (
    <footer className="border-t border-(--line) bg-(--quiet)">
      <div className="wrap flex flex-wrap items-center justify-between gap-x-8 gap-y-2 py-8">
        <p>{`© ${year ?? ""} ${name}`}</p>
        <nav aria-label="Footer" className="flex flex-wrap gap-x-6">
          {links.map((link) => (
            <a
              key={link.path}
              href={link.path}
              className="inline-flex min-h-11 items-center no-underline hover:underline"
            >
              {link.label}
            </a>
          ))}
        </nav>
      </div>
    </footer>
  );
}
