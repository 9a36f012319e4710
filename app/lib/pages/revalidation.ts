import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

/**
 * Loads data again unless a form's answer is on the screen: loading it then would cost a request, empty the form, and
 * replace the page with an error where the connection is the very thing that failed.
 */
export function unlessAnswered({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return actionResult === undefined && defaultShouldRevalidate;
}
