import { isRouteErrorResponse } from "@remix-run/react";

/** The body of the 403 that answers a post from elsewhere: all that its sender needs to send it from our own page. */
export interface RefusedPost {
  /** says what to do, where no page says it */
  message: string;
  /** the person's words, in the form's order */
  typed: { label: string; text: string }[];
  /** address of the page with the form: a path, or a whole URL if SITE_URL is set */
  page: string;
}

/** Reads what a route threw; null when it was something else. */
export function findRefusedPost(error: unknown): RefusedPost | null {
  if (!isRouteErrorResponse(error) || error.status !== 403) return null;
  const data: unknown = error.data;
  return typeof data === "object" && data !== null && "typed" in data ? (data as RefusedPost) : null;
}
