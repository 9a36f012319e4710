const longest = 200;

/**
 * The path of an address as it may stand in a log: no query string, no control characters that could forge a line, at
 * most 200 characters, and no segment that looks like an e-mail address.
 * @param url absolute, as a request carries it
 */
export function loggablePath(url: string): string {
  const { pathname } = new URL(url);
  return decode(pathname)
    .replace(/\p{C}/gu, "")
    .replace(/[^/]*@[^/]*/g, "…")
    .slice(0, longest);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
