/**
 * The handle of the admin area's route modules, whose pages have their own header: `export const handle =
 * adminAreaHandle`.
 */
export const adminAreaHandle = { isAdminArea: true } as const;

/** Id of the content below the header of an admin page: the target of the skip link. */
export const adminContentId = "content";

/** Returns true if a matched route is a page of the admin area. */
export function isAdminArea({ handle }: { handle?: unknown }): boolean {
  return typeof handle === "object" && handle !== null && "isAdminArea" in handle;
}
