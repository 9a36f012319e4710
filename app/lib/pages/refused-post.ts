import { isRouteErrorResponse } from "@remix-run/react";

/**
 * Body of the 403 response to a post from another origin, and of a link's 429 or 503 response to a form with typed text:
 * everything that its sender needs to send it again.
 */
export interface RefusedPost {
  /** what to do, for clients that show no page */
  message: string;
  /** the visitor's input, in the form's order */
  typed: { label: string; text: string }[];
  /** address of the page with the form: a path, or an absolute URL if SITE_URL is set */
  page: string;
}

/** Finds the refusal in an error that a route threw; null for any other error. */
export function findRefusedPost(error: unknown): RefusedPost | null {
  if (!isRouteErrorResponse(error) || ![403, 429, 503].includes(error.status)) return null;
  const data: unknown = error.data;
  return typeof data === "object" && data !== null && "typed" in data ? (data as RefusedPost) : null;
}
