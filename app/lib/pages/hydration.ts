/** What a route module says when its page gains from scripts: `export const handle: HydratedHandle = { hydrate: true }`. */
export interface HydratedHandle {
  hydrate: true;
}

/** Whether a matched route asks for scripts; all others are sent without any. */
export function isHydrated(match: { handle?: unknown }): boolean {
  const { handle } = match;
  return typeof handle === "object" && handle !== null && "hydrate" in handle && handle.hydrate === true;
}
