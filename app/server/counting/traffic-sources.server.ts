import { isIP } from "node:net";
import { longestName, noName, otherName } from "~/lib/day-counts";

/**
 * Names the source of a visit from the `Referer` header.
 * @param referrer the value of `Referer` (RFC 9110, 10.1.3), which clients can forge
 * @param ownHost host of this site with its port
 * @returns the host of another site or the name of an app; `(none)` without a referrer, `(other)` for a value that is
 *   not stored, null for a page of this site
 */
export function nameReferrer(referrer: string | undefined, ownHost: string): string | null {
  if (!referrer) return noName;
  const authority = authorityShape.exec(referrer.slice(0, maxOriginLength))?.[1]?.toLowerCase();
  if (authority === undefined) return otherName;
  if (authority === ownHost) return null;
  const host = authority.replace(/:\d{1,5}$/, "").replace(/^www\./, "");
  return host.length <= longestName && hostShape.test(host) ? host : otherName;
}

/** Long enough for scheme and host; the rest is never read. */
const maxOriginLength = 300;
/** Includes mail and search apps on phones: `android-app://com.google.android.gm/`. */
const authorityShape = /^(?:https?|android-app):\/\/([^/?#]+)(?:[/?#]|$)/i;
/**
 * Names of public sites: they have a dot and do not end in a number, as IP addresses do. Suffixes for private machines
 * (`.local`) do not match.
 */
const hostShape = /^(?!.*\.(?:local|lan|home|internal)$)[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9_-]+)*\.[a-z][a-z0-9-]*$/;

/**
 * Names the campaign of a link: `utm_campaign`, otherwise `utm_source`.
 * @param url path and query
 * @returns the name in lower case, with hyphens for spaces; `(other)` for a value that is not stored; null if the link
 *   has none
 */
export function nameCampaign(url: string): string | null {
  // Most URLs have no query and need no parsing.
  const start = url.indexOf("?");
  if (start === -1 || !url.includes("utm_", start)) return null;
  const query = url.slice(start, start + maxQueryLength);
  const encoded = campaignParameter.exec(query)?.[1] ?? sourceParameter.exec(query)?.[1] ?? "";
  // Parsing the whole query would take ten times as long.
  const decoded = /[%+]/.test(encoded) ? (new URLSearchParams(`_=${encoded}`).get("_") ?? "").trim() : encoded;
  if (decoded === "") return null;
  const name = decoded.toLowerCase().replaceAll(" ", "-");
  // Long names, other characters and IP addresses may identify a person: they are dropped, not shortened.
  return campaignShape.test(name) && isIP(name) === 0 ? name : otherName;
}

/** Marketing tools put their parameters before this position. */
const maxQueryLength = 1_000;
const campaignParameter = /[?&]utm_campaign=([^&]+)/;
const sourceParameter = /[?&]utm_source=([^&]+)/;
const campaignShape = /^[a-z0-9][a-z0-9._-]{0,63}$/;
