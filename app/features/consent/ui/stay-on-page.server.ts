/**
 * Returns true if the browser can stay on the page after the banner's post. A redirect that ends in 204 keeps the page,
 * its scroll position and everything typed, and the page's own style hides the banner (`:has(:user-valid)`, which
 * matches a form's controls once it was sent). No header announces support for that selector, but every browser that
 * accepts zstd when it navigates (Chromium 123, Firefox 126) has it. Other browsers are redirected to the page.
 */
export function canStayOnPage(request: Request): boolean {
  const { headers } = request;
  return (
    headers.get("sec-fetch-mode") === "navigate" &&
    headers.get("sec-fetch-dest") === "document" &&
    /\bzstd\b/.test(headers.get("accept-encoding") ?? "")
  );
}
