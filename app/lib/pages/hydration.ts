/**
 * Returns true if a matched route needs scripts: `export const handle = { hydrate: true }`. All other pages are sent
 * without any.
 */
export function isHydrated({ handle }: { handle?: unknown }): boolean {
  return typeof handle === "object" && handle !== null && "hydrate" in handle;
}
