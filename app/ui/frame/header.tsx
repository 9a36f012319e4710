import { BrandMark } from "./brand-mark";
import type { ChromeLink } from "./chrome-links";
import { type MenuLink, SideMenu } from "./side-menu";

/** Props of {@link Header}. */
export interface HeaderProps {
  name: string;
  /** `pages` appear only in the menu of small screens */
  links: readonly MenuLink[];
  action: ChromeLink;
  /** path of the current page, whose link is marked */
  currentPath: string;
}

/** Longer names take smaller letters in a phone's header, which stays in sight. */
const shortNameLength = 24;

/**
 * The header of every page outside the admin area: the firm's name, the main links and the call to action. Plain links,
 * which work without scripts. Spaces between them keep their words apart in text browsers.
 */
export function Header({ name, links, action, currentPath }: HeaderProps) {
  // A phone has room for one word beside the menu; screen readers read the whole label.
  const [firstWord] = action.label.split(" ");
  return (
    <header className="site-header">
      <div className="wrap header-row">
        <a
          href="/"
          className={name.length > shortNameLength ? "brand brand-long" : "brand"}
          aria-current={currentPath === "/" ? "page" : undefined}
        >
          <BrandMark />
          {name}
        </a>{" "}
        <nav aria-label="Main" className="ml-auto hidden items-center gap-x-7 lg:flex">
          {links.flatMap((link) => [
            <a
              key={link.path}
              href={link.path}
              aria-current={link.path === currentPath ? "page" : undefined}
              className="chrome-link"
            >
              {link.label}
            </a>,
            " ",
          ])}
        </nav>{" "}
        <a href={action.path} className="button" aria-current={action.path === currentPath ? "page" : undefined}>
          {firstWord}
          <span>{action.label.slice(firstWord?.length)}</span>
        </a>
        <SideMenu links={links} action={action} currentPath={currentPath} />
      </div>
    </header>
  );
}
