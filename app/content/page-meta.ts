import type { MetaFunction } from "@remix-run/node";
import { pageMeta, unlistedPageMeta } from "~/lib/pages/page-meta";
import {
  type StructuredData,
  breadcrumbs,
  organization,
  person,
  service,
  structuredData,
  webSite,
} from "~/lib/pages/structured-data";
import { findErrorCopy } from "~/lib/pages/error-copy";
import { company } from "./company";
import { type ErrorPageCopy, serverErrorPage } from "./error-pages";
import { looksUnfilled } from "./firm/unfilled";
import { pageTitle } from "./page-title";

/** Facts about a page for its `<head>`. */
export interface PageFacts {
  path: string;
  /** name in breadcrumbs; defaults to the title */
  label?: string;
  title: string;
  description: string;
  /** the page whose share image it has; its own by default */
  imagePath?: string | undefined;
}

/** Subject of a page, which determines the things in its JSON-LD. */
export type PageSubject = "site" | "service" | "founder" | "page";

/**
 * Creates the `meta` export of a page that may be found and shared: `export const meta = metaFor(startupsPage,
 * "service")`. The canonical origin comes from the root loader's `siteUrl`, never from the request. If the root loader
 * reports `hasMistakes`, "Error: " precedes the title.
 */
export function metaFor(page: PageFacts, subject: PageSubject = "page"): MetaFunction {
  return ({ matches }) => {
    const { hasMistakes, siteUrl } = readRoot(matches);
    const documentTitle = pageTitle(page.title, { hasMistakes });
    if (siteUrl === null) return [{ title: documentTitle }, { name: "description", content: page.description }];
    return pageMeta({
      documentTitle,
      title: page.title,
      description: page.description,
      path: page.path,
      imagePath: page.imagePath,
      siteUrl,
      siteName: company.name,
      structuredData: describe(page, subject, siteUrl),
    });
  };
}

/** Creates the `meta` export of a page that search engines must not index. A question that it asks is its title. */
export function unlistedMetaFor(page: { title: string; description?: string }): MetaFunction {
  return ({ matches }) => {
    const root = readRoot(matches);
    return unlistedPageMeta({
      documentTitle: pageTitle(root.question ?? page.title, root),
      description: page.description,
    });
  };
}

/**
 * Creates the `meta` export of a page that a secret link opens, titled after the problem if there is one.
 * @param problems words by HTTP status
 */
export function linkMetaFor(
  problems: Partial<Record<number, ErrorPageCopy>>,
  page: { title: string; description?: string },
): MetaFunction {
  return (args) => {
    const isFine = (args.error ?? null) === null;
    return unlistedMetaFor(isFine ? page : { title: findErrorCopy(args.error, problems, serverErrorPage).title })(args);
  };
}

function describe(page: PageFacts, subject: PageSubject, siteUrl: string): StructuredData {
  const { name, founder } = company;
  const firm = describeFirm(siteUrl);
  if (subject === "site") return structuredData(firm, webSite({ siteUrl, name }));
  const label = page.label ?? page.title;
  const trail = breadcrumbs(siteUrl, [
    { name: "Home", path: "/" },
    { name: label, path: page.path },
  ]);
  if (subject === "service")
    return structuredData(
      service({ siteUrl, path: page.path, name: label, description: page.description }),
      firm,
      trail,
    );
  // Without the founder's name, there is no person to describe.
  if (subject === "founder" && !looksUnfilled(founder.name)) {
    const sameAs = ownPages(founder.linkedin);
    return structuredData(person({ siteUrl, name: founder.name, jobTitle: founder.role, sameAs }), firm, trail);
  }
  return subject === "founder" ? structuredData(firm, trail) : structuredData(trail);
}

/** Describes the firm, as far as its facts are known. */
export function describeFirm(siteUrl: string) {
  const { name, tagline, email, linkedin } = company;
  return organization({
    siteUrl,
    name,
    description: tagline,
    email: looksUnfilled(email) ? undefined : email,
    sameAs: ownPages(linkedin),
  });
}

/** Lists the address unless it is empty or still a placeholder. */
function ownPages(address: string): string[] {
  return address === "" || looksUnfilled(address) ? [] : [address];
}

/** Reads the root loader's data, which may be missing on an error page. */
export function readRoot(matches: Parameters<MetaFunction>[0]["matches"]) {
  const root: unknown = matches.find(({ id }) => id === "root")?.data;
  const { hasMistakes, question, siteUrl } = (root ?? {}) as Record<string, unknown>;
  return {
    hasMistakes: hasMistakes === true,
    question: typeof question === "string" ? question : null,
    siteUrl: typeof siteUrl === "string" ? siteUrl : null,
  };
}
