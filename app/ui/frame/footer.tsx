import type { ReactNode } from "react";
import { type ChromeLink, ChromeLinks } from "./chrome-links";

/** One column of links in the footer. */
export interface FooterColumn {
  title: string;
  links: readonly ChromeLink[];
}

/** Props of {@link Footer}. */
export interface FooterProps {
  name: string;
  tagline: string;
  columns: readonly FooterColumn[];
  currentPath: string;
  /** year of the copyright line; undefined if the root loader's data is missing */
  year: number | undefined;
  /** where the page came from, for paper and text browsers */
  imprint: string;
  /** shown beside the copyright line */
  children?: ReactNode;
}

/** The footer of every page. */
export function Footer({ name, tagline, columns, currentPath, year, imprint, children }: FooterProps) {
  return (
    <footer className="site-footer tone-night">
      <div className="wrap grid gap-4 py-5 sm:gap-10 sm:py-14 lg:grid-cols-12">
        <div className="max-sm:hidden lg:col-span-4">
          <p className="font-display text-2xl">{name}</p>
          <p className="mt-3 max-w-[22em] text-(--muted)">{tagline}</p>
        </div>
        <div className="footer-columns lg:col-span-8">
          {columns.map((column) => (
            <nav key={column.title} aria-label={column.title}>
              <p className="font-semibold">{column.title}</p>
              <ChromeLinks links={column.links} currentPath={currentPath} />
            </nav>
          ))}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2 text-(--muted) lg:col-span-12">
          <p>{`© ${year ?? ""} ${name}`}</p>
          {children}
        </div>
        <p className="imprint">{imprint}</p>
      </div>
    </footer>
  );
}
