import { company } from "~/content/company";
import type { Article } from "~/content/insights/article.server";
import { insightsPage } from "~/content/pages/insights";

/** Most articles in the feed; readers keep what they have seen. */
const mostEntries = 30;

/**
 * Writes the feed of whole texts (RFC 4287).
 * @param articles published ones, newest first; at least one
 */
export function writeFeed(articles: readonly Article[], siteUrl: string): string {
  const shown = articles.slice(0, mostEntries);
  const address = siteUrl + insightsPage.path;
  const head = [
    tag("id", `${address}/feed.xml`),
    tag("title", `${company.name}: ${insightsPage.label}`),
    `<updated>${shown[0]?.date}T00:00:00Z</updated>`,
    `<link rel="self" href="${escape(`${address}/feed.xml`)}"/>`,
    `<link href="${escape(address)}"/>`,
  ];
  const entries = shown.map(({ slug, title, summary, date, author, html }) =>
    [
      "<entry>",
      tag("id", `${address}/${slug}`),
      tag("title", title),
      `<link href="${escape(`${address}/${slug}`)}"/>`,
      `<published>${date}T00:00:00Z</published>`,
      `<updated>${date}T00:00:00Z</updated>`,
      `<author>${tag("name", author)}</author>`,
      tag("summary", summary),
      `<content type="html">${escape(completeAddresses(html, siteUrl))}</content>`,
      "</entry>",
    ].join("\n"),
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">\n${[...head, ...entries].join("\n")}\n</feed>\n`;
}

/** Makes addresses on this site absolute: a feed reader shows the text elsewhere. */
function completeAddresses(html: string, siteUrl: string): string {
  return html.replaceAll(/ (href|src)="\//g, (_, name: string) => ` ${name}="${siteUrl}/`);
}

function tag(name: string, text: string): string {
  return `<${name}>${escape(text)}</${name}>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
