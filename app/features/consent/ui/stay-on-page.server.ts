/**
 * Whether a browser that posts the banner can stay where it is: answered with 204, it leaves the page, the scroll position
 * and everything that was typed as they are, and the page's own style hides the banner (`:has(:user-valid)`, which a
 * form's controls match once it has been sent). No request says whether a browser knows that; those that accept zstd
 * when they navigate (Chromium 123, Firefox 126) all do. Everyone else is led back by a redirect.
 */
export function canStayOnPage(request: Request): boolean {
  const { headers } = request;
  return (
    headers.get("sec-fetch-mode") === "navigate" &&
    headers.get("sec-fetch-dest") === "document" &&
    /\bzstd\b/.test(headers.get("accept-encoding") ?? "")
  );
}
