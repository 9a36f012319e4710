/** Label and target of a link in header, menu or footer. */
export interface ChromeLink {
  readonly label: string;
  readonly path: string;
}

interface ChromeLinksProps {
  links: readonly ChromeLink[];
  currentPath: string;
  className?: string;
}

/** A list of links, which marks the current page's. */
export function ChromeLinks({ links, currentPath, className }: ChromeLinksProps) {
  return (
    <ul className={className}>
      {links.map(({ path, label }) => (
        <li key={path}>
          <a href={path} aria-current={path === currentPath ? "page" : undefined} className="chrome-link">
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
