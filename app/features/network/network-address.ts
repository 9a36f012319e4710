/** Returns the address of a member's page. */
export function networkAddress(token: string): string {
  return `/network?token=${encodeURIComponent(token)}`;
}
