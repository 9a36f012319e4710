import { expect, it } from "vitest";
import { type PageSources, securityHeaders } from "./security-headers.server";

const onHttp = { isHttps: false, hsts: "host" } as const;

it("allows no source, no frame and no other origin by default", () => {
  const { "Content-Security-Policy": policy, ...headers } = securityHeaders(onHttp);
  expect(policy?.split("; ")).toEqual([
    "default-src 'none'",
    "script-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(headers).toEqual({
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy":
      "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Origin-Agent-Cluster": "?1",
  });
});

function listDirectives(page: PageSources): string[] {
  return securityHeaders(onHttp, page)["Content-Security-Policy"]?.split("; ") ?? [];
}

const google = "https://*.google-analytics.com https://*.analytics.google.com https://*.googletagmanager.com";

it.each([
  ["its own scripts", { ownScripts: true }, ["script-src 'self'"]],
  ["inline scripts by hash", { scriptHashes: ["a=", "b="] }, ["script-src 'sha256-a=' 'sha256-b='"]],
  ["an inline style by hash", { inlineStyleHash: "a=" }, ["style-src 'self' 'sha256-a='"]],
  ["Vite's port in development", { isDevelopment: true }, ["connect-src 'self' ws://localhost:24678"]],
  [
    "analytics",
    { analytics: true },
    ["script-src https://www.googletagmanager.com", `img-src 'self' data: ${google}`, `connect-src 'self' ${google}`],
  ],
])("allows a page %s and nothing else", (_case, page, changed) => {
  const usual = listDirectives({});
  expect(listDirectives(page).filter((directive) => !usual.includes(directive))).toEqual(changed);
});

it.each([
  ["host", "max-age=63072000"],
  ["subdomains", "max-age=63072000; includeSubDomains"],
] as const)("requires https on https, with HSTS for the %s", (hsts, value) => {
  const headers = securityHeaders({ isHttps: true, hsts });
  expect(headers["Strict-Transport-Security"]).toBe(value);
  expect(headers["Content-Security-Policy"]).toMatch(/; upgrade-insecure-requests$/);
});
