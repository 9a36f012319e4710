import { contactAddressFrom } from "~/lib/pages/contact-origin";

/** A link of the chrome. */
export interface NavigationLink {
  readonly label: string;
  readonly path: string;
}

/**
 * The link to the contact form in header, menu and footer.
 * @param page path of the page that it stands on; null on one whose address says nothing
 */
export function contactLinkFrom(page: string | null): NavigationLink {
  return { label: "Contact Us", path: page === null ? "/contact" : contactAddressFrom(page) };
}

/**
 * The audience pages, for footer and menu. The labels are written out and not taken from the pages: the chrome reaches the
 * browser on pages with a script, and would carry every page's words along. A test holds the two equal.
 */
export const audienceLinks: readonly NavigationLink[] = [
  { label: "Startups & Founders", path: "/startups" },
  { label: "Small & Mid-Sized Businesses", path: "/small-business" },
  { label: "Growth-Stage Companies", path: "/growth-stage" },
  { label: "Enterprises & Health Systems", path: "/enterprises" },
];

/** The service pages, for the menu; a test holds their labels equal to the pages' own. */
const serviceLinks: readonly NavigationLink[] = [
  { label: "Build", path: "/build" },
  { label: "Scale", path: "/scale" },
  { label: "Value", path: "/value" },
];

/**
 * The header's links in order (REQUIREMENTS 2.2); Contact Us stands beside them as a button. The menu of small screens lists
 * under the first two the pages that they are about.
 */
export const headerLinks: readonly (NavigationLink & { readonly pages?: readonly NavigationLink[] })[] = [
  { label: "What We Do", path: "/#services", pages: serviceLinks },
  { label: "Who We Serve", path: "/#who-we-serve", pages: audienceLinks },
  { label: "Investors", path: "/investors" },
  { label: "About", path: "/about" },
];

/** The footer's legal links: the four of REQUIREMENTS 2.3, and the accessibility statement. */
export const legalLinks: readonly NavigationLink[] = [
  { label: "Privacy Policy", path: "/privacy-policy" },
  { label: "Terms of Service", path: "/terms-of-service" },
  { label: "Cookie Policy", path: "/cookie-policy" },
  { label: "Data Rights", path: "/data-rights" },
  { label: "Accessibility", path: "/accessibility" },
];
