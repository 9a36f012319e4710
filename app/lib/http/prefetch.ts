/**
 * Whether a browser asks for a page before anybody has: it may never be looked at (HTML, section 7.6.2; `prefetch`, or
 * `prefetch;prerender`).
 * @param purpose the value of `Sec-Purpose`, which no script of a page can set
 */
export function isPrefetch(purpose: string | string[] | null | undefined): boolean {
  return typeof purpose === "string" && /^prefetch(?:;|$)/.test(purpose);
}
