import { type ChromeLink, ChromeLinks } from "./chrome-links";

/** A link in the main menu. If it leads to a section, `pages` are the pages of that section. */
export interface MenuLink extends ChromeLink {
  readonly pages?: readonly ChromeLink[];
}

/** Props of {@link SideMenu}. */
export interface SideMenuProps {
  links: readonly MenuLink[];
  action: ChromeLink;
  /** path of the current page */
  currentPath: string;
}

const menuId = "menu";

/**
 * The slide-in menu of small screens, without scripts: the platform opens it as a modal (`command`), traps focus,
 * closes it on Esc and restores focus. Browsers without invoker commands open it as a popover.
 */
export function SideMenu({ links, action, currentPath }: SideMenuProps) {
  return (
    <div className="lg:hidden">
      <button type="button" className="menu-button" command="show-modal" commandfor={menuId} popovertarget={menuId}>
        <svg aria-hidden="true" viewBox="0 0 24 24" className="h-6 w-6 fill-none stroke-current" strokeWidth="2">
          <path d="M3 7h18M3 12h18M3 17h18" strokeLinecap="round" />
        </svg>
        Menu
      </button>
      <dialog id={menuId} popover="auto" closedby="any" aria-label="Menu" className="side-menu">
        <div className="flex justify-end">
          <button type="button" className="menu-button" command="close" commandfor={menuId} popovertarget={menuId}>
            <svg aria-hidden="true" viewBox="0 0 24 24" className="h-6 w-6 fill-none stroke-current" strokeWidth="2">
              <path d="M6 6l12 12M18 6L6 18" strokeLinecap="round" />
            </svg>
            Close
          </button>
        </div>
        <nav aria-label="Menu">
          <ul className="mt-4 grid">
            {links.map((link) => (
              <li key={link.path} className="border-b border-(--line)">
                <a
                  href={forcePageLoad(link.path, currentPath)}
                  aria-current={link.path === currentPath ? "page" : undefined}
                  className="menu-link"
                >
                  {link.label}
                </a>
                {link.pages ? <ChromeLinks links={link.pages} currentPath={currentPath} className="pb-3 pl-4" /> : null}
              </li>
            ))}
          </ul>
          <a href={action.path} className="button mt-8 w-full">
            {action.label}
          </a>
        </nav>
      </dialog>
    </div>
  );
}

/**
 * Adds an empty query to links to an anchor of the current page. Without it, the menu would stay open over the target.
 * To the browser, the query makes it another address, so it loads the page with the menu closed. The server redirects
 * `/?` to `/`, and the browser keeps the anchor.
 */
function forcePageLoad(path: string, currentPath: string): string {
  const [page, anchor] = path.split("#");
  return anchor !== undefined && page === currentPath ? `${page}?#${anchor}` : path;
}
