/**
 * Reduces an unknown address to the part that may be logged: its first segment if that is one of the site's own, else
 * `(other)`. Outsiders choose the rest, which may contain names, email addresses and tokens. A mail program that
 * escapes the question mark of a secret link makes its token a part of the path.
 * @param url absolute, as in a Fetch API request
 * @param ownSegments first segments of the site's addresses, in lower case
 * @returns e.g. `/data-rights` for `/data-rights/confirm%3Ftoken=…`
 */
export function loggablePath(url: string, ownSegments: ReadonlySet<string>): string {
  // Robots request such addresses all the time, so the URL is not fully parsed: normalization would never turn it into
  // one of our pages.
  const start = url.indexOf("/", url.indexOf("//") + 2) + 1;
  const beginning = url.slice(start, start + maxSegmentLength).toLowerCase();
  const segment = beginning.slice(0, beginning.search(endOfSegment));
  return ownSegments.has(segment) ? `/${segment}` : "(other)";
}

/** More characters than any of our own segments needs. */
const maxSegmentLength = 100;
/** A delimiter, also percent-encoded once or more (`%3F`, `%253F`), or the end of the text. */
const endOfSegment = /[/?#;&]|%(?:25)*(?:2f|3f|3b|26)|$/;
