/** Returns the address of a member's page. */
export function networkAddress(token: string): string {
  return `/network?token=${encodeURIComponent(token)}`;
}

/** Stands in a letter's trial mail and in its preview, where each member's mail has that member's secret. */
export const sampleToken = "your-own-link";
