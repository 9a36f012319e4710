/** The headers of every answer of the admin area: in no cache, and with what the session needs. */
export function answerHeaders(setCookies: readonly string[]): Headers {
  const headers = new Headers({ "Cache-Control": "no-store" });
  for (const value of setCookies) headers.append("Set-Cookie", value);
  return headers;
}
