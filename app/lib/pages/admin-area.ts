/**
 * The handle of the admin area's route modules, whose pages have their own header: `export const handle =
 * adminAreaHandle`.
 */
export const adminAreaHandle = { isAdminArea: true } as const;

/** Id of the content below the header of an admin page: the target of the skip link. */
export const adminContentId = "content";

/**
 * The handle of the pages that lead into the admin area. They are for the firm's own people, so they show no ways to the
 * public pages but the one to the home page: `export const handle = signInHandle`.
 */
export const signInHandle = { isSignIn: true } as const;

/** Returns true if a matched route is a page of the admin area. */
export function isAdminArea(match: { handle?: unknown }): boolean {
  return hasMark(match, "isAdminArea");
}

/** Returns true if a matched route leads into the admin area. */
export function isSignIn(match: { handle?: unknown }): boolean {
  return hasMark(match, "isSignIn");
}

function hasMark({ handle }: { handle?: unknown }, name: string): boolean {
  return typeof handle === "object" && handle !== null && (handle as Record<string, unknown>)[name] === true;
}
