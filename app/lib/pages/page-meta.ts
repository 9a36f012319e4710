import type { MetaDescriptor } from "@remix-run/node";
import type { StructuredData } from "./structured-data";

/** Metadata of a page for people, search engines and link previews. */
export interface PageMeta {
  /** the document's title, including the firm's name */
  documentTitle: string;
  /** the page's own title, for shared links */
  title: string;
  description: string;
  /** the canonical path of this page, without a query, e.g. "/startups" */
  path: string;
  /** the page whose share image it has; its own by default */
  imagePath?: string | undefined;
  /** canonical origin without a trailing slash; from the settings, so that no request can change it */
  siteUrl: string;
  siteName: string;
  structuredData: StructuredData;
}

/** Size of share images (PNG): every link preview shows it uncropped. */
export const shareImageSize = { width: 1200, height: 630 } as const;

/**
 * Builds title, description, canonical address, Open Graph and Twitter cards, and JSON-LD of a page that may be found
 * and shared. Readers of Twitter cards take missing values from Open Graph (ogp.me; the Twitter card reference).
 */
export function pageMeta(page: PageMeta): MetaDescriptor[] {
  const address = page.siteUrl + page.path;
  const image = page.siteUrl + shareImagePath(page.imagePath ?? page.path);
  // An image of another page shows that page's title.
  const imageAlt = page.imagePath === undefined ? `${page.siteName}: ${page.title}` : page.siteName;
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

/** Builds the metadata of a page that search engines must not index. It needs no share metadata, either. */
export function unlistedPageMeta(page: { documentTitle: string; description?: string }): MetaDescriptor[] {
  return [
    { title: page.documentTitle },
    ...(page.description ? [{ name: "description", content: page.description }] : []),
    { name: "robots", content: "noindex" },
  ];
}

/** Returns the path of a page's share image, e.g. "/share/startups.png"; "/share/home.png" for the home page. */
export function shareImagePath(path: string): string {
  return `/share/${path === "/" ? "home" : path.slice(1).replaceAll("/", "-")}.png`;
}
