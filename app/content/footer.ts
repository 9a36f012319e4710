import { company, findLinkedPage } from "./company";
import { looksUnfilled } from "./firm/unfilled";
import { type NavigationLink, audienceLinks, legalLinks, serviceLinks } from "./navigation";

/**
 * The footer's columns (REQUIREMENTS 2.3): service and audience pages, how to reach the firm, and legal pages.
 * @param siteUrl the site's own; undefined if the root loader's data is missing
 * @param hasInsights true if an article is published
 */
export function listFooterColumns(contactLink: NavigationLink, siteUrl: string | undefined, hasInsights: boolean) {
  const linkedin = findLinkedPage(company.linkedin, siteUrl);
  return [
    { title: "What we do", links: serviceLinks },
    { title: "Who we serve", links: audienceLinks },
    {
      title: "Reach us",
      links: [
        contactLink,
        ...(hasInsights ? [{ label: "Insights", path: "/insights" }] : []),
        ...(linkedin === null ? [] : [{ label: "LinkedIn", path: linkedin }]),
      ],
    },
    { title: "Legal", links: legalLinks },
  ];
}

/**
 * Returns the line that says on paper where a page came from: the firm's name, postal address and email, as far as they
 * are given, and the page's address.
 * @param path of the page; null if its address must not be named
 */
export function describeOrigin(siteUrl: string | undefined, path: string | null): string {
  const { name, address, email } = company;
  const facts = [name, address.replaceAll(/\s*\n\s*/g, ", "), email].filter(
    (fact) => fact !== "" && !looksUnfilled(fact),
  );
  const place = siteUrl === undefined || path === null ? [] : [new URL(path, siteUrl).href];
  return [...facts, ...place].join(" · ");
}
