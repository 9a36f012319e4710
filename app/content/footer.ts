import { company, findLinkedPage } from "./company";
import { type NavigationLink, audienceLinks, legalLinks, serviceLinks } from "./navigation";

/**
 * The footer's columns (REQUIREMENTS 2.3): service and audience pages, legal pages, and how to reach the firm.
 * @param siteUrl the site's own; undefined if the root loader's data is missing
 */
export function listFooterColumns(contactLink: NavigationLink, siteUrl: string | undefined) {
  const linkedin = findLinkedPage(company.linkedin, siteUrl);
  return [
    { title: "What we do", links: serviceLinks },
    { title: "Who we serve", links: audienceLinks },
    { title: "Legal", links: legalLinks },
    { title: "Reach us", links: [contactLink, ...(linkedin === null ? [] : [{ label: "LinkedIn", path: linkedin }])] },
  ];
}
