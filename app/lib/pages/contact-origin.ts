const parameter = "from";
/** How the home page, whose path has no name, is called in a link. */
const home = "home";

/**
 * The address of the contact form as a page links to it. It says on which page the link stands, so that messages can be counted by it
 * without anything on the visitor's device; the form is the same whatever it says.
 * @param page path of the page with the link; behind more than one segment there may be a secret, and then nothing is said
 */
export function contactAddressFrom(page: string): string {
  if (page === "/contact" || !/^\/[a-z-]*$/.test(page)) return "/contact";
  return `/contact?${parameter}=${page === "/" ? home : page.slice(1)}`;
}

/**
 * The page whose link led to the contact form.
 * @param search the query of the form's address, which anybody can write
 * @param pages paths of the site's own pages: no other is ever the answer
 * @returns its path; null where the address names none
 */
export function findContactOrigin(search: string, pages: ReadonlySet<string>): string | null {
  const query = new URLSearchParams(search.slice(0, longestQuery));
  const name = query.get(parameter);
  if (name === home) return "/";
  if (name && pages.has(`/${name}`)) return `/${name}`;
  // Only the page for investors links so.
  return query.get("about") === "investors" ? "/investors" : null;
}

const longestQuery = 1_000;
