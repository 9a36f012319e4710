import type { AppLoadContext } from "@remix-run/node";

/**
 * Lets the loaders that run after an action in the same request know that its form came back with mistakes, because a
 * page's title is made from loader data and must say so.
 */
const requestsWithMistakes = new WeakSet<AppLoadContext>();

/** Called by an action that answers with mistakes. */
export function markMistakes(context: AppLoadContext): void {
  requestsWithMistakes.add(context);
}

/** Called by the loader of the same page. */
export function hasMistakes(context: AppLoadContext): boolean {
  return requestsWithMistakes.has(context);
}
