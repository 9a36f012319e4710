/** Returns the address of a member's page. */
export function networkAddress(token: string): string {
  return `/network?token=${encodeURIComponent(token)}`;
}

/** Returns the address of the page that the link in a letter opens. */
export function letterAddress(token: string): string {
  return `/network/mail?token=${encodeURIComponent(token)}`;
}
