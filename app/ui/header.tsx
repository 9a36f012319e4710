/** Words and target of a link in the chrome. */
export interface ChromeLink {
  label: string;
  path: string;
}

/** The firm's name leading home, the main links and the one call to action. */
export interface HeaderProps {
  name: string;
  links: readonly ChromeLink[];
  action: ChromeLink;
}

/** The head of every page. Plain links: they work before and without scripts. */
export function Header({ name, links, action }: HeaderProps) {
  return (
    <header className="border-b border-(--line)">
      <div className="wrap flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
        <a
          href="/"
          className="inline-flex min-h-11 items-center gap-3 font-display text-xl font-semibold text-(--text) no-underline"
        >
          <svg
            aria-hidden="true"
            viewBox="0 0 48 24"
            className="h-6 w-12 fill-none stroke-(--accent)"
            strokeWidth="2.5"
          >
            <path d="M1 17h11l4-11 6 15 5-9 4 5c6 0 10-5 16-13" strokeLinecap="round" strokeLinejoin="round" />
          </svg>
          {name}
        </a>
        <nav aria-label="Main" className="flex flex-wrap items-center gap-x-6">
          {links.map((link) => (
            <a
              key={link.path}
              href={link.path}
              className="inline-flex min-h-11 items-center no-underline hover:underline"
            >
              {link.label}
            </a>
          ))}
          <a href={action.path} className="button">
            {action.label}
          </a>
        </nav>
      </div>
    </header>
  );
}
