/**
 * Returns true if a browser prefetches a page, which the visitor may never see (HTML, section 7.6.2; `prefetch`, or
 * `prefetch;prerender`).
 * @param purpose value of `Sec-Purpose`, which page scripts cannot set
 */
export function isPrefetch(purpose: string | string[] | null | undefined): boolean {
  return typeof purpose === "string" && /^prefetch(?:;|$)/.test(purpose);
}
