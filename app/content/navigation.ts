/** A link of the chrome. */
export interface NavigationLink {
  readonly label: string;
  readonly path: string;
}

/** The header's links in order (REQUIREMENTS 2.2); Contact Us stands beside them as a button. */
export const headerLinks: readonly NavigationLink[] = [
  { label: "What We Do", path: "/#services" },
  { label: "Who We Serve", path: "/#who-we-serve" },
  { label: "Investors", path: "/investors" },
  { label: "About", path: "/about" },
];

/** The header's call to action. */
export const contactLink: NavigationLink = { label: "Contact Us", path: "/contact" };

/**
 * The audience pages, for the footer. The labels are written out and not taken from the pages: the chrome reaches the
 * browser on pages with a script, and would carry every page's words along. A test holds the two equal.
 */
export const audienceLinks: readonly NavigationLink[] = [
  { label: "Startups & Founders", path: "/startups" },
  { label: "Small & Mid-Sized Businesses", path: "/small-business" },
  { label: "Growth-Stage Companies", path: "/growth-stage" },
  { label: "Enterprises & Health Systems", path: "/enterprises" },
];

/** The footer's legal links: the four of REQUIREMENTS 2.3, and the accessibility statement. */
export const legalLinks: readonly NavigationLink[] = [
  { label: "Privacy Policy", path: "/privacy-policy" },
  { label: "Terms of Service", path: "/terms-of-service" },
  { label: "Cookie Policy", path: "/cookie-policy" },
  { label: "Data Rights", path: "/data-rights" },
  { label: "Accessibility", path: "/accessibility" },
];
