import { isRouteErrorResponse } from "@remix-run/react";

/**
 * Finds the words for an error that a route threw.
 * @param problems words by HTTP status
 * @param otherwise words for any other error
 */
export function findErrorCopy<Copy>(error: unknown, problems: Partial<Record<number, Copy>>, otherwise: Copy): Copy {
  return problems[isRouteErrorResponse(error) ? error.status : 500] ?? otherwise;
}
