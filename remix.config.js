/** Every address of the site, and the module in app/routes that answers it. */
export const routes = {
  "": "pages/home.tsx",
  accessibility: "pages/accessibility.tsx",
  about: "pages/about.tsx",
  build: "pages/build.tsx",
  enterprises: "pages/enterprises.tsx",
  "growth-stage": "pages/growth-stage.tsx",
  investors: "pages/investors.tsx",
  scale: "pages/scale.tsx",
  "small-business": "pages/small-business.tsx",
  startups: "pages/startups.tsx",
  value: "pages/value.tsx",
  "cookie-policy": "legal/cookie-policy.tsx",
  "privacy-policy": "legal/privacy-policy.tsx",
  "terms-of-service": "legal/terms-of-service.tsx",
  contact: "forms/contact.tsx",
  consent: "forms/consent.tsx",
  "data-rights": "forms/data-rights.tsx",
  "data-rights/confirm": "forms/confirm-request.tsx",
  "data-rights/status": "forms/request-status.tsx",
  "data-rights/package": "forms/request-package.tsx",
  "data-rights/package/file": "forms/request-package-file.ts",
  answered: "forms/answered.tsx",
  login: "forms/login.tsx",
  "login/second-factor": "forms/second-factor.tsx",
  "login/forgotten": "forms/forgotten-password.tsx",
  "login/password": "forms/account-link.tsx",
  logout: "forms/logout.tsx",
  admin: "admin/inbox.tsx",
  "admin/account": "admin/account.tsx",
  "admin/account/second-factor": "admin/second-factor.tsx",
  "admin/answer-times": "admin/answer-times.tsx",
  "admin/confirm": "admin/confirm.tsx",
  "admin/messages/:submissionId": "admin/message.tsx",
  "admin/numbers": "admin/numbers.tsx",
  "admin/people": "admin/people.tsx",
  "admin/snippets": "admin/snippets.tsx",
  "admin/submissions.csv": "admin/submissions-csv.ts",
  "admin/requests": "admin/requests.tsx",
  "admin/requests/new": "admin/new-request.tsx",
  "admin/requests/:requestId": "admin/request.tsx",
  "admin/requests/:requestId/package": "admin/data-package.ts",
  "robots.txt": "files/robots.ts",
  "sitemap.xml": "files/sitemap.ts",
  "site.webmanifest": "files/webmanifest.ts",
  "portrait/:file": "files/portrait.ts",
  "rules.json": "files/rules.ts",
  ".well-known/security.txt": "files/security-txt.ts",
  ".well-known/gpc.json": "files/gpc.ts",
  ".well-known/change-password": "files/change-password.ts",
  "*": "not-found.tsx",
};

/**
 * The one place of Remix's options; `vite.config.ts` hands them to the plugin.
 * @type {import("@remix-run/dev").VitePluginConfig}
 */
export default {
  appDirectory: "app",
  // By the table above and not by the names of files.
  ignoredRouteFiles: ["**/*"],
  routes: (defineRoutes) =>
    defineRoutes((route) => {
      for (const [path, file] of Object.entries(routes)) route(path, `routes/${file}`, { index: path === "" });
    }),
  serverBuildFile: "index.js",
  serverModuleFormat: "esm",
  future: {
    v3_fetcherPersist: true,
    // Off: it adds an address that takes seconds to answer whoever asks it for enough paths (CVE-2026-55685).
    v3_lazyRouteDiscovery: false,
    v3_relativeSplatPath: true,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
  },
};
