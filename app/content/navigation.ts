/** A link of the chrome. */
export interface NavigationLink {
  label: string;
  path: string;
}

/** The header's links in order; Contact Us stands beside them as a button. */
export const headerLinks: readonly NavigationLink[] = [{ label: "Home", path: "/" }];

/** The header's call to action. */
export const contactLink: NavigationLink = { label: "Contact Us", path: "/contact" };

/** The footer's legal links. */
export const legalLinks: readonly NavigationLink[] = [{ label: "Privacy Policy", path: "/privacy-policy" }];
