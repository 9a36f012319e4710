const parameter = "from";
/** Name of the home page in a link, because its path has none. */
const home = "home";

/** The contact page's variant for investors. */
export const investorContactAddress = "/contact?about=investors";

/** Its variants for the two buttons in the hero of /investors. */
export const investorWishAddresses = {
  network: `${investorContactAddress}&want=network`,
  diligence: `${investorContactAddress}&want=diligence`,
} as const;

/**
 * Returns a page's link to the contact form. It names the page, so that messages can be counted by origin without
 * storing anything on the visitor's device, and so that the form can preselect the stage of an audience.
 * @param page path of the page with the link; a path of several segments may hold a secret, so it is not named
 */
export function contactAddressFrom(page: string): string {
  if (page === "/investors") return investorContactAddress;
  if (page === "/contact" || !/^\/[a-z-]*$/.test(page)) return "/contact";
  return `/contact?${parameter}=${page === "/" ? home : page.slice(1)}`;
}

/**
 * Finds the page whose link led to the contact form.
 * @param search query of the form's address, which anyone can edit
 * @param pages paths of the site's own pages; no other path is returned
 * @returns its path; null if the address names none
 */
export function findContactOrigin(search: string, pages: ReadonlySet<string>): string | null {
  const query = new URLSearchParams(search.slice(0, maxQueryLength));
  const name = query.get(parameter);
  if (name === home) return "/";
  if (name && pages.has(`/${name}`)) return `/${name}`;
  return query.get("about") === "investors" ? "/investors" : null;
}

const maxQueryLength = 1_000;
