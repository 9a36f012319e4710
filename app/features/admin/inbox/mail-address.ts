/** Builds a `mailto:` URL, encoded so that any typed text stays one address (RFC 6068). */
export function mailAddress(email: string): string {
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}
