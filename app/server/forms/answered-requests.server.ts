import type { AppLoadContext } from "@remix-run/node";

/**
 * Remix runs the loaders of a page after its action even where the answer is to have no page (204). They learn here that
 * the action has said everything, cookies included.
 */
const answered = new WeakSet<AppLoadContext>();

/** Called by an action that answers without a page. */
export function markAnswered(context: AppLoadContext): void {
  answered.add(context);
}

/** Called by loaders, before they do anything that changes something. */
export function isAnswered(context: AppLoadContext): boolean {
  return answered.has(context);
}
