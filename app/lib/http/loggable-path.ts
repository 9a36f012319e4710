/**
 * What may stand in a log of an address that no page answers: its first segment where that is one of the site's own, else
 * `(other)`. Strangers choose the rest, and type names, email addresses and tokens into it; a mail program that escapes
 * the question mark of a secret link makes its token a part of the path.
 * @param url absolute, as a request carries it
 * @param ownSegments first segments of the site's addresses, in lower case
 * @returns e.g. `/data-rights` for `/data-rights/confirm%3Ftoken=…`
 */
export function loggablePath(url: string, ownSegments: ReadonlySet<string>): string {
  // Asked for by robots all the time, and not parsed whole: what a parser would change in it names no page of ours.
  const start = url.indexOf("/", url.indexOf("//") + 2) + 1;
  const beginning = url.slice(start, start + longestSegment).toLowerCase();
  const segment = beginning.slice(0, beginning.search(endOfSegment));
  return ownSegments.has(segment) ? `/${segment}` : "(other)";
}

/** More than any segment of ours has, with what may follow it. */
const longestSegment = 100;
/** Also escaped, once or more often (`%3F`, `%253F`); else where it ends. */
const endOfSegment = /[/?#;&]|%(?:25)*(?:2f|3f|3b|26)|$/;
