/** The handle of route modules whose page needs scripts: `export const handle: HydratedHandle = { hydrate: true }`. */
export interface HydratedHandle {
  hydrate: true;
}

/** Returns true if a matched route needs scripts. All other pages are sent without any. */
export function isHydrated(match: { handle?: unknown }): boolean {
  const { handle } = match;
  return typeof handle === "object" && handle !== null && "hydrate" in handle && handle.hydrate === true;
}
