/** What a route module of the admin area says: its page brings a header of its own. `export const handle = adminAreaHandle`. */
export const adminAreaHandle = { isAdminArea: true } as const;

/** Of what stands below the header of such a page, where the link leads that skips it. */
export const adminContentId = "content";

/** Whether a matched route is a page of the admin area. */
export function isAdminArea(match: { handle?: unknown }): boolean {
  const { handle } = match;
  return typeof handle === "object" && handle !== null && "isAdminArea" in handle && handle.isAdminArea === true;
}
