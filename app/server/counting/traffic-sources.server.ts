import { isIP } from "node:net";
import { longestName, noName, otherName } from "~/lib/day-counts";

/**
 * From where a visitor came, as their browser says.
 * @param referrer the value of `Referer` (RFC 9110, 10.1.3), which anybody can write
 * @param ownHost of this site, with its port
 * @returns the host of another site or the name of an app; `(none)` where nothing is said, `(other)` for what is not kept; null for
 *   one of the site's own pages
 */
export function nameReferrer(referrer: string | undefined, ownHost: string): string | null {
  if (!referrer) return noName;
  const authority = authorityShape.exec(referrer.slice(0, maxOriginLength))?.[1]?.toLowerCase();
  if (authority === undefined) return otherName;
  if (authority === ownHost) return null;
  const host = authority.replace(/:\d{1,5}$/, "").replace(/^www\./, "");
  return host.length <= longestName && hostShape.test(host) ? host : otherName;
}

/** A scheme and a host fit into this; what follows is never looked at. */
const maxOriginLength = 300;
/** Also what mail and search programs on phones send: `android-app://com.google.android.gm/`. */
const authorityShape = /^(?:https?|android-app):\/\/([^/?#]+)(?:[/?#]|$)/i;
/** Names of public sites: with a dot, and with no number at their end, as addresses have. What knows people's machines (`.local`) is none. */
const hostShape = /^(?!.*\.(?:local|lan|home|internal)$)[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9_-]+)*\.[a-z][a-z0-9-]*$/;

/**
 * The campaign that a link names: `utm_campaign`, or `utm_source` where there is no other.
 * @param url path and query
 * @returns in lower case, with hyphens for spaces; `(other)` for what is not kept; null where the link names none
 */
export function nameCampaign(url: string): string | null {
  // Most addresses have no query, and need not be parsed.
  const start = url.indexOf("?");
  if (start === -1 || !url.includes("utm_", start)) return null;
  const query = url.slice(start, start + maxQueryLength);
  const encoded = campaignParameter.exec(query)?.[1] ?? sourceParameter.exec(query)?.[1] ?? "";
  // Parsing all of it would take ten times as long.
  const decoded = /[%+]/.test(encoded) ? (new URLSearchParams(`_=${encoded}`).get("_") ?? "").trim() : encoded;
  if (decoded === "") return null;
  const name = decoded.toLowerCase().replaceAll(" ", "-");
  // Longer ones, other characters and addresses may say who somebody is: they are not shortened but left out.
  return campaignShape.test(name) && isIP(name) === 0 ? name : otherName;
}

/** What stands further back was encoded by no marketing tool. */
const maxQueryLength = 1_000;
const campaignParameter = /[?&]utm_campaign=([^&]+)/;
const sourceParameter = /[?&]utm_source=([^&]+)/;
const campaignShape = /^[a-z0-9][a-z0-9._-]{0,63}$/;
