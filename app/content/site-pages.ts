import { legalLinks } from "./navigation";
import { aboutPage } from "./pages/about";
import { buildPage } from "./pages/build";
import { contactPage } from "./pages/contact";
import { dataRightsPage } from "./privacy/data-rights";
import { enterprisesPage } from "./pages/enterprises";
import { growthStagePage } from "./pages/growth-stage";
import { homePage } from "./pages/home";
import { investorsPage } from "./pages/investors";
import type { LineVariation } from "./pages/offering-page";
import { scalePage } from "./pages/scale";
import { smallBusinessPage } from "./pages/small-business";
import { startupsPage } from "./pages/startups";
import { valuePage } from "./pages/value";

/** A page that may be found: it is in the sitemap and has its own share image. */
export interface SitePage {
  readonly path: string;
  /** its h1, shown on the share image */
  readonly headline: string;
  /** its part of the vital line */
  readonly line: "whole" | LineVariation;
}

/** All public pages (REQUIREMENTS 2.1 and 6.5). /login and /admin are for the firm only. */
export const sitePages: readonly SitePage[] = [
  withWholeLine(homePage),
  startupsPage,
  smallBusinessPage,
  growthStagePage,
  enterprisesPage,
  buildPage,
  scalePage,
  valuePage,
  withWholeLine(investorsPage),
  withWholeLine(aboutPage),
  withWholeLine({ path: "/contact", headline: contactPage.title }),
  // The labels in the navigation equal the titles of the legal texts, which are Markdown, and of the accessibility
  // statement.
  ...legalLinks
    .filter(({ path }) => path !== dataRightsPage.path)
    .map(({ path, label }) => withWholeLine({ path, headline: label })),
  withWholeLine({ path: dataRightsPage.path, headline: dataRightsPage.title }),
];

/** Their paths. Only these are prefetched. */
export const publicPaths: ReadonlySet<string> = new Set(sitePages.map(({ path }) => path));

/** First segments of all addresses of the site: the only part of an unknown address that may be logged. */
export const ownSegments: ReadonlySet<string> = new Set([
  ...sitePages.map(({ path }) => path.slice(1)).filter((segment) => segment !== ""),
  "admin",
  "answered",
  "consent",
  "insights",
  "login",
  "logout",
  "network",
  "portrait",
  ".well-known",
]);

/** Never send analytics for pages about legal texts and rights: reading them is private. */
const unanalyzed: ReadonlySet<string> = new Set(legalLinks.map(({ path }) => path));

/** Pages that Google Analytics measures if it is in use and allowed. */
export const analyzedPaths: ReadonlySet<string> = new Set([...publicPaths].filter((path) => !unanalyzed.has(path)));

function withWholeLine({ path, headline }: { path: string; headline: string }): SitePage {
  return { path, headline, line: "whole" };
}
