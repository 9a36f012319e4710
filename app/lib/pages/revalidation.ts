import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

/**
 * Skips revalidation while a form's result is on the screen: it would cost a request, empty the form, and replace the
 * page with an error if the connection is what failed.
 */
export function unlessFormSubmitted({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return actionResult === undefined && defaultShouldRevalidate;
}
