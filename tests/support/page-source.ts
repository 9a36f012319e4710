import { sitePages } from "~/content/site-pages";

/** The paths of REQUIREMENTS 2.1 and 6.5. Search engines must not find the unlisted ones, which are for the firm. */
export const publicPaths = sitePages.map(({ path }) => path);
export const unlistedPaths = ["/login", "/login/forgotten", "/network", "/admin"];

/** Pages that ship a script; all other pages ship none. */
export const scriptedPaths = ["/contact", "/data-rights", "/login", "/admin"];

/** An opening tag of the source, with entities in attribute values resolved. */
export interface Tag {
  name: string;
  attributes: Record<string, string>;
}

/** Finds all opening tags with these names, in order, outside scripts and styles. */
export function findTags(html: string, ...names: string[]): Tag[] {
  const source = html.replace(/(<(script|style)\b[^>]*>)[\s\S]*?<\/\2>/g, "$1");
  return [...source.matchAll(/<([a-z][a-z0-9]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*\/?>/gi)]
    .map(([, name = "", attributes = ""]) => ({ name: name.toLowerCase(), attributes: readAttributes(attributes) }))
    .filter(({ name }) => names.length === 0 || names.includes(name));
}

/** Finds the first tag with this name and these attributes. */
export function findTag(html: string, name: string, attributes: Record<string, string>): Tag | undefined {
  return findTags(html, name).find((tag) =>
    Object.entries(attributes).every(([key, value]) => tag.attributes[key] === value),
  );
}

/** Reads the content of a `meta` element by its name or property. */
export function readMeta(html: string, name: string): string | undefined {
  return (findTag(html, "meta", { name }) ?? findTag(html, "meta", { property: name }))?.attributes.content;
}

/** Finds every script of the page that a browser would run. JSON is data and not included. */
export function findScripts(html: string): Tag[] {
  return findTags(html, "script").filter(
    ({ attributes }) => !/^application\/(?:ld\+)?json$/.test(attributes.type ?? ""),
  );
}

/** Reads the text of each element with this name, without tags. */
export function readTexts(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`<${name}\\b[^>]*>([\\s\\S]*?)</${name}>`, "g"))].map(([, inner = ""]) =>
    resolveEntities(inner.replace(/<[^>]+>/g, "")).trim(),
  );
}

/** Reads the page's JSON-LD documents. */
export function readStructuredData(html: string): { "@graph": Record<string, unknown>[] }[] {
  return [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].map(([, json = ""]) =>
    JSON.parse(json),
  );
}

function readAttributes(source: string): Record<string, string> {
  return Object.fromEntries(
    [...source.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(([, key = "", value = ""]) => [
      key.toLowerCase(),
      resolveEntities(value),
    ]),
  );
}

function resolveEntities(text: string): string {
  return text
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");
}

/** Reads the page's titles, without the firm's name. */
export const readTitles = (html: string) => readTexts(html, "title").map((title) => title.replace(/ \| [^|]+$/, ""));
