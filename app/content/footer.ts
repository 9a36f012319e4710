import { company } from "./company";
import { audienceLinks, contactLink, legalLinks } from "./navigation";

const linkedin = company.linkedin === "" ? [] : [{ label: "LinkedIn", path: company.linkedin }];

/** The footer's columns (REQUIREMENTS 2.3): audience pages, legal pages, and how to reach the firm. */
export const footerColumns = [
  { title: "Who we serve", links: audienceLinks },
  { title: "Legal", links: legalLinks },
  { title: "Reach us", links: [contactLink, ...linkedin] },
] as const;
