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
import { company } from "./company";
import { looksUnfilled } from "./firm/unfilled";
import { pageTitle } from "./page-title";

/** What a page's head needs of its content. */
export interface PageFacts {
  path: string;
  /** its name in a trail of links; the title where it has none */
  label?: string;
  title: string;
  description: string;
}

/** What a page is about, and so which things its JSON-LD names. */
export type PageSubject = "site" | "service" | "founder" | "page";

/**
 * The `meta` export of a page that may be found and shared: `export const meta = metaFor(startupsPage, "service")`.
 * The canonical origin comes from the root loader's `siteUrl`, never from the request; a form page whose loader says
 * `hasMistakes` gets "Error: " before its title.
 */
export function metaFor(page: PageFacts, subject: PageSubject = "page"): MetaFunction {
  return ({ data, matches }) => {
    const documentTitle = pageTitle(page.title, { hasMistakes: readFlag(data, "hasMistakes") });
    const siteUrl = findSiteUrl(matches);
    if (siteUrl === null) return [{ title: documentTitle }, { name: "description", content: page.description }];
    return pageMeta({
      documentTitle,
      title: page.title,
      description: page.description,
      path: page.path,
      siteUrl,
      siteName: company.name,
      structuredData: describe(page, subject, siteUrl),
    });
  };
}

/** The `meta` export of a page that search engines must leave out. */
export function unlistedMetaFor(page: { title: string; description?: string }): MetaFunction {
  return ({ data }) =>
    unlistedPageMeta({
      documentTitle: pageTitle(page.title, { hasMistakes: readFlag(data, "hasMistakes") }),
      description: page.description,
    });
}

function describe(page: PageFacts, subject: PageSubject, siteUrl: string): StructuredData {
  const { name, tagline, email, linkedin, founder } = company;
  const firm = organization({
    siteUrl,
    name,
    description: tagline,
    email: looksUnfilled(email) ? undefined : email,
    sameAs: ownPages(linkedin),
  });
  if (subject === "site") return structuredData(firm, webSite({ siteUrl, name }));
  const label = page.label ?? page.title;
  const way = breadcrumbs(siteUrl, [
    { name: "Home", path: "/" },
    { name: label, path: page.path },
  ]);
  if (subject === "service")
    return structuredData(service({ siteUrl, path: page.path, name: label, description: page.description }), firm, way);
  // Until the firm has named its founder, there is nobody to describe.
  if (subject === "founder" && !looksUnfilled(founder.name)) {
    const sameAs = ownPages(founder.linkedin);
    return structuredData(person({ siteUrl, name: founder.name, jobTitle: founder.role, sameAs }), firm, way);
  }
  return subject === "founder" ? structuredData(firm, way) : structuredData(way);
}

/** Until the firm supplies its own, the placeholder is no page of anybody's. */
function ownPages(address: string): string[] {
  return address === "" || looksUnfilled(address) ? [] : [address];
}

function findSiteUrl(matches: Parameters<MetaFunction>[0]["matches"]): string | null {
  const root: unknown = matches.find(({ id }) => id === "root")?.data;
  return isRecord(root) && typeof root.siteUrl === "string" ? root.siteUrl : null;
}

function readFlag(data: unknown, name: string): boolean {
  return isRecord(data) && data[name] === true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
