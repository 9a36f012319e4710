/**
 * What may stand in a log of an address that no page answers: its first segment where that is one of the site's own, else
 * `(other)`. Strangers choose the rest, and type names, email addresses and tokens into it; a mail program that escapes
 * the question mark of a secret link makes its token a part of the path.
 * @param url absolute, as a request carries it
 * @param ownSegments first segments of the site's addresses, in lower case
 * @returns e.g. `/data-rights` for `/data-rights/confirm%3Ftoken=…`
 */
export function loggablePath(url: string, ownSegments: ReadonlySet<string>): string {
  const { pathname } = new URL(url);
  const segment =
    pathname
      .slice(1, 1 + longestSegment)
      .toLowerCase()
      .split(endOfSegment, 1)[0] ?? "";
  return ownSegments.has(segment) ? `/${segment}` : "(other)";
}

/** More than any segment of ours has, with what may follow it. */
const longestSegment = 100;
/** Also escaped, once or more often (`%3F`, `%253F`). */
const endOfSegment = /[/?;&]|%(?:25)*(?:2f|3f|3b|26)/;
