import { reportsPath } from "~/lib/http/reports-path";

/** What a page brings along that its policy must allow; nothing for everything that is no page. */
export interface PageSources {
  /** base64 SHA-256 of each script within the page */
  scriptHashes?: string[];
  /** the page loads script files of ours */
  ownScripts?: boolean;
  /** the page calls Google Analytics; only after consent */
  analytics?: boolean;
  /** base64 SHA-256 of a stylesheet within the page */
  inlineStyleHash?: string;
  /** the page is told of edits by Vite, on a port of its own (bin/dev.mjs) */
  isDevelopment?: boolean;
}

/** Settings that the headers depend on. */
export interface HeaderSettings {
  isHttps: boolean;
  hsts: "host" | "subdomains";
}

/**
 * The security headers of every response, static files and errors included.
 *
 * `strict-origin-when-cross-origin`, not `no-referrer`: the latter makes browsers send `Origin: null` with form posts,
 * and the same-origin guard would refuse visitors without scripts whose browsers are too old for `Sec-Fetch-Site`.
 */
export function securityHeaders({ isHttps, hsts }: HeaderSettings, page: PageSources = {}): Record<string, string> {
  return {
    "Content-Security-Policy": contentSecurityPolicy(page, isHttps),
    "Reporting-Endpoints": `site="${reportsPath}"`,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy":
      "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Origin-Agent-Cluster": "?1",
    // Two years that nobody can take back: subdomains that are still plain HTTP (an intranet, a printer) would be gone.
    ...(isHttps
      ? { "Strict-Transport-Security": `max-age=63072000${hsts === "subdomains" ? "; includeSubDomains" : ""}` }
      : {}),
  };
}

function contentSecurityPolicy(page: PageSources, isHttps: boolean): string {
  const { inlineStyleHash } = page;
  // What Google names for Analytics without advertising (Tag Platform guide, "Content Security Policy").
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
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "report-to site",
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
