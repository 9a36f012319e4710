import type { HeadersFunction } from "@remix-run/node";

/**
 * Passes on the headers that a page's action or loader set (`Retry-After`, `Allow`): without a `headers` export, Remix
 * keeps their cookies and drops the rest.
 */
export const passHeaders: HeadersFunction = ({ errorHeaders, actionHeaders, loaderHeaders }) => {
  const fromAction = [...actionHeaders.keys()].length > 0;
  return errorHeaders ?? (fromAction ? actionHeaders : loaderHeaders);
};
