const longest = 200;
/** A segment with more letters and digits than this is a token, unless it reads as words. */
const maxWordLength = 24;

/**
 * The path of an address as it may stand in a log: no query string, no control characters that could forge a line, at
 * most 200 characters, and no segment that looks like an email address or a secret token. Its time grows with the path's
 * length and not faster: strangers choose the path.
 * @param url absolute, as a request carries it
 */
export function loggablePath(url: string): string {
  const { pathname } = new URL(url);
  return decode(pathname)
    .replace(/\p{C}/gu, "")
    .split("/")
    .map((segment) => (segment.includes("@") || looksLikeToken(segment) ? "…" : segment))
    .join("/")
    .slice(0, longest);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Whether it is long, and not made of words ("how-we-work-with-clinics") and short numbers alone. */
function looksLikeToken(segment: string): boolean {
  const parts = segment.split(/[^\p{L}\p{N}]+/u);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return length > maxWordLength && !parts.every((part) => /^(?:\p{Lu}?\p{Ll}{0,19}|\d{1,4})$/u.test(part));
}
