/** Sources that a page's policy must allow; empty for responses that are not pages. */
export interface PageSources {
  /** base64 SHA-256 of each inline script */
  scriptHashes?: string[];
  /** the page loads our script files */
  ownScripts?: boolean;
  /** the page calls Google Analytics; only after consent */
  analytics?: boolean;
  /** base64 SHA-256 of an inline stylesheet */
  inlineStyleHash?: string;
  /** Vite notifies the page of edits over a separate port (bin/dev.mjs) */
  isDevelopment?: boolean;
}

/** Settings that the headers depend on. */
export interface HeaderSettings {
  isHttps: boolean;
  hsts: "host" | "subdomains";
}

/**
 * Builds the security headers of every response, including static files and errors.
 *
 * `strict-origin-when-cross-origin`, not `no-referrer`: the latter makes browsers send `Origin: null` with form posts,
 * and the same-origin guard would reject visitors without scripts whose browsers are too old for `Sec-Fetch-Site`.
 */
export function securityHeaders({ isHttps, hsts }: HeaderSettings, page: PageSources = {}): Record<string, string> {
  return {
    "Content-Security-Policy": contentSecurityPolicy(page, isHttps),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy":
      "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Origin-Agent-Cluster": "?1",
    // Browsers remember this for two years. With `includeSubDomains`, they no longer reach subdomains on plain HTTP (an
    // intranet, a printer), and those cannot revoke it.
    ...(isHttps
      ? { "Strict-Transport-Security": `max-age=63072000${hsts === "subdomains" ? "; includeSubDomains" : ""}` }
      : {}),
  };
}

function contentSecurityPolicy(page: PageSources, isHttps: boolean): string {
  const { inlineStyleHash } = page;
  // Hosts that Google lists for Analytics without advertising (Tag Platform guide, "Content Security Policy").
  const analytics = page.analytics
    ? " https://*.google-analytics.com https://*.analytics.google.com https://*.googletagmanager.com"
    : "";
  return [
    "default-src 'none'",
    `script-src ${buildScriptSources(page)}`,
    `style-src 'self'${inlineStyleHash === undefined ? "" : ` 'sha256-${inlineStyleHash}'`}`,
    `img-src 'self' data:${analytics}`,
    "font-src 'self'",
    `connect-src 'self'${analytics}${page.isDevelopment ? " ws://localhost:24678" : ""}`,
    "manifest-src 'self'",
    // `default-src` covers it. Some scanners look for the words.
    "object-src 'none'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(isHttps ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}

function buildScriptSources({ scriptHashes = [], ownScripts, analytics }: PageSources): string {
  const sources = [
    ...(ownScripts ? ["'self'"] : []),
    ...scriptHashes.map((hash) => `'sha256-${hash}'`),
    ...(analytics ? ["https://www.googletagmanager.com"] : []),
  ];
  return sources.length === 0 ? "'none'" : sources.join(" ");
}

/**
 * Adds `no-transform` to `Cache-Control` (RFC 9111, 5.2.2.6). Otherwise a CDN may rewrite pages: Cloudflare replaces
 * every email address with "[email protected]" and a script that the content security policy blocks.
 */
export function forbidTransform(headers: Headers): void {
  if (!headers.get("Cache-Control")?.includes("no-transform")) headers.append("Cache-Control", "no-transform");
}
