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

/** A page that may be found: the sitemap lists it, and it has a share image of its own. */
export interface SitePage {
  readonly path: string;
  /** its h1, which the share image shows */
  readonly headline: string;
  /** the stretch of the vital line that belongs to it */
  readonly line: "whole" | LineVariation;
}

/** All public pages (REQUIREMENTS 2.1 and 6.5); /login and /admin are the firm's own. */
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
  // The titles of the legal texts, which are Markdown, and of the accessibility statement stand in the navigation word for word.
  ...legalLinks
    .filter(({ path }) => path !== dataRightsPage.path)
    .map(({ path, label }) => withWholeLine({ path, headline: label })),
  withWholeLine({ path: dataRightsPage.path, headline: dataRightsPage.title }),
];

/** Their addresses: nothing else is fetched ahead. */
export const publicPaths: ReadonlySet<string> = new Set(sitePages.map(({ path }) => path));

/** The first segments of all of the site's addresses: what a log line may hold of one that no page answers. */
export const ownSegments: ReadonlySet<string> = new Set([
  ...sitePages.map(({ path }) => path.slice(1)).filter((segment) => segment !== ""),
  "admin",
  "answered",
  "consent",
  "login",
  "logout",
  "portrait",
  ".well-known",
]);

/** Who reads a legal text or looks up a right is nobody else's affair. */
const unanalyzed: ReadonlySet<string> = new Set(legalLinks.map(({ path }) => path));

/** The pages of which Google Analytics is told where it is in use and allowed. */
export const analyzedPaths: ReadonlySet<string> = new Set([...publicPaths].filter((path) => !unanalyzed.has(path)));

function withWholeLine({ path, headline }: { path: string; headline: string }): SitePage {
  return { path, headline, line: "whole" };
}
