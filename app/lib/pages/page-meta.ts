import type { MetaDescriptor } from "@remix-run/node";
import type { StructuredData } from "./structured-data";

/** What the head of a page says about it to people, search engines and link previews. */
export interface PageMeta {
  /** the document's title, firm included */
  documentTitle: string;
  /** the page's own title, as a shared link shows it */
  title: string;
  description: string;
  /** the one address of this page on this site, without a query, e.g. "/startups" */
  path: string;
  /** canonical origin without a trailing slash; it comes from the settings, so that no request can change it */
  siteUrl: string;
  siteName: string;
  structuredData: StructuredData;
}

/** Share images are PNGs of this size, the one that every link preview shows uncropped. */
export const shareImageSize = { width: 1200, height: 630 } as const;

/**
 * Title, description, canonical address, Open Graph and Twitter cards, and JSON-LD of a page that may be found and
 * shared. What a card does not repeat, its readers take from Open Graph (ogp.me; the Twitter card reference).
 */
export function pageMeta(page: PageMeta): MetaDescriptor[] {
  const address = page.siteUrl + page.path;
  const image = page.siteUrl + shareImagePath(page.path);
  const imageAlt = `${page.siteName}: ${page.title}`;
  return [
    { title: page.documentTitle },
    { name: "description", content: page.description },
    { tagName: "link", rel: "canonical", href: address },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: page.siteName },
    { property: "og:locale", content: "en_US" },
    { property: "og:url", content: address },
    { property: "og:title", content: page.title },
    { property: "og:description", content: page.description },
    { property: "og:image", content: image },
    { property: "og:image:type", content: "image/png" },
    { property: "og:image:width", content: String(shareImageSize.width) },
    { property: "og:image:height", content: String(shareImageSize.height) },
    { property: "og:image:alt", content: imageAlt },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:title", content: page.title },
    { name: "twitter:description", content: page.description },
    { name: "twitter:image", content: image },
    { name: "twitter:image:alt", content: imageAlt },
    { "script:ld+json": page.structuredData },
  ];
}

/** The head of a page that search engines must leave out: nothing of it is worth sharing either. */
export function unlistedPageMeta(page: { documentTitle: string; description?: string }): MetaDescriptor[] {
  return [
    { title: page.documentTitle },
    ...(page.description ? [{ name: "description", content: page.description }] : []),
    { name: "robots", content: "noindex" },
  ];
}

/** Where the share image of a page lies, e.g. "/share/startups.png"; the home page's is "/share/home.png". */
export function shareImagePath(path: string): string {
  return `/share/${path === "/" ? "home" : path.slice(1).replaceAll("/", "-")}.png`;
}
