import { sitePages } from "~/content/site-pages";

/** The addresses of REQUIREMENTS 2.1 and 6.5; the last two are the firm's own and are not to be found. */
export const publicPaths = sitePages.map(({ path }) => path);
export const unlistedPaths = ["/login", "/login/forgotten", "/admin"];

/** Pages that gain from a script; every other page ships none. */
export const scriptedPaths = ["/contact", "/data-rights", "/login", "/admin"];

/** An opening tag as it stands in the source: attribute values with entities resolved. */
export interface Tag {
  name: string;
  attributes: Record<string, string>;
}

/** All opening tags of these names, in order; script and style contents are not looked into. */
export function findTags(html: string, ...names: string[]): Tag[] {
  const source = html.replace(/(<(script|style)\b[^>]*>)[\s\S]*?<\/\2>/g, "$1");
  return [...source.matchAll(/<([a-z][a-z0-9]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*\/?>/gi)]
    .map(([, name = "", attributes = ""]) => ({ name: name.toLowerCase(), attributes: readAttributes(attributes) }))
    .filter(({ name }) => names.length === 0 || names.includes(name));
}

/** The first tag of this name with these attributes. */
export function findTag(html: string, name: string, attributes: Record<string, string>): Tag | undefined {
  return findTags(html, name).find((tag) =>
    Object.entries(attributes).every(([key, value]) => tag.attributes[key] === value),
  );
}

/** What a `meta` element says, by its name or property. */
export function readMeta(html: string, name: string): string | undefined {
  return (findTag(html, "meta", { name }) ?? findTag(html, "meta", { property: name }))?.attributes.content;
}

/** Every script of the page that a browser would run: JSON is data. */
export function findScripts(html: string): Tag[] {
  return findTags(html, "script").filter(
    ({ attributes }) => !/^application\/(?:ld\+)?json$/.test(attributes.type ?? ""),
  );
}

/** The text of each element of this name, tags removed. */
export function readTexts(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`<${name}\\b[^>]*>([\\s\\S]*?)</${name}>`, "g"))].map(([, inner = ""]) =>
    resolveEntities(inner.replace(/<[^>]+>/g, "")).trim(),
  );
}

/** The page's JSON-LD documents. */
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
