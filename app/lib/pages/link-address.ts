/** Returns the address of a page that a secret link opens. */
export function linkAddress(path: string, token: string): string {
  return `${path}?token=${encodeURIComponent(token)}`;
}
