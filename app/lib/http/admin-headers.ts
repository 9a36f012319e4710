/** Creates the headers of admin responses: no caching, and the session's cookies. */
export function createAdminHeaders(setCookies: readonly string[]): Headers {
  const headers = new Headers({ "Cache-Control": "no-store" });
  for (const value of setCookies) headers.append("Set-Cookie", value);
  return headers;
}
