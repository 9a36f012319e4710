import type { ChromeLink } from "./chrome-link";

/** A link of the main menu, with the pages that belong to it where it leads to a part of a page. */
export interface MenuLink extends ChromeLink {
  readonly pages?: readonly ChromeLink[];
}

/** The menu of small screens. */
export interface SideMenuProps {
  links: readonly MenuLink[];
  action: ChromeLink;
  /** path of the page it stands on */
  currentPath: string;
}

const menuId = "menu";

/**
 * A slide-in menu that needs no script: the platform opens it modally (`command`), keeps the focus in it, closes it on
 * Esc and gives the focus back. Where commands are not known yet it opens as a popover.
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
                  href={leavePage(link.path, currentPath)}
                  aria-current={link.path === currentPath ? "page" : undefined}
                  className="menu-link"
                >
                  {link.label}
                </a>
                {link.pages ? (
                  <ul className="pb-3 pl-4">
                    {link.pages.map((page) => (
                      <li key={page.path}>
                        <a
                          href={page.path}
                          aria-current={page.path === currentPath ? "page" : undefined}
                          className="chrome-link"
                        >
                          {page.label}
                        </a>
                      </li>
                    ))}
                  </ul>
                ) : null}
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
 * A link to an anchor of the page itself would leave the menu open over it. With an empty query it is another address to
 * the browser, which therefore loads the page, menu closed; the server leads `/?` back to `/`, and the anchor stays.
 */
function leavePage(path: string, currentPath: string): string {
  const [page, anchor] = path.split("#");
  return anchor !== undefined && page === currentPath ? `${page}?#${anchor}` : path;
}
