import { contactAddressFrom } from "~/lib/pages/contact-origin";

/** A link in header, menu or footer. */
export interface NavigationLink {
  readonly label: string;
  readonly path: string;
}

/**
 * Returns the link to the contact form in header, menu and footer.
 * @param page path of the page with the link; null for a page whose address must not be named
 */
export function contactLinkFrom(page: string | null): NavigationLink {
  return { label: "Contact Us", path: page === null ? "/contact" : contactAddressFrom(page) };
}

/**
 * The audience pages, for footer and menu. The labels are repeated here instead of imported from the pages: scripts
 * include the chrome, and would include every page's text. A test compares them.
 */
export const audienceLinks: readonly NavigationLink[] = [
  { label: "Startups & Founders", path: "/startups" },
  { label: "Small & Mid-Sized Businesses", path: "/small-business" },
  { label: "Growth-Stage Companies", path: "/growth-stage" },
  { label: "Enterprises & Health Systems", path: "/enterprises" },
];

/** The service pages, for footer and menu. A test compares their labels with those of the pages. */
export const serviceLinks: readonly NavigationLink[] = [
  { label: "Build", path: "/build" },
  { label: "Scale", path: "/scale" },
  { label: "Value", path: "/value" },
];

/**
 * The header's links in order (REQUIREMENTS 2.2). Contact Us is a button beside them. On small screens, the menu lists
 * the related pages under the first two.
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

/** Returns the label of a page in header, menu or footer; null for a page that they do not list. */
export function findPageLabel(page: string): string | null {
  const links = [...audienceLinks, ...serviceLinks, ...headerLinks, ...legalLinks];
  return links.find(({ path }) => path === page)?.label ?? null;
}
