import { company } from "./company";
import { type NavigationLink, audienceLinks, legalLinks, serviceLinks } from "./navigation";

const linkedin = company.linkedin === "" ? [] : [{ label: "LinkedIn", path: company.linkedin }];

/** The footer's columns (REQUIREMENTS 2.3): service and audience pages, legal pages, and how to reach the firm. */
export function listFooterColumns(contactLink: NavigationLink) {
  return [
    { title: "What we do", links: serviceLinks },
    { title: "Who we serve", links: audienceLinks },
    { title: "Legal", links: legalLinks },
    { title: "Reach us", links: [contactLink, ...linkedin] },
  ];
}
