import { routes } from "./app/routes.ts";

/**
 * The one place of Remix's options; `vite.config.ts` hands them to the plugin.
 * @type {import("@remix-run/dev").VitePluginConfig}
 */
export default {
  appDirectory: "app",
  // By the table in app/routes.ts and not by the names of files.
  ignoredRouteFiles: ["**/*"],
  routes: (defineRoutes) =>
    defineRoutes((route) => {
      // A module may answer several addresses, so the address is the id.
      for (const [path, file] of Object.entries(routes)) {
        route(path, `routes/${file}`, { id: `/${path}`, index: path === "" });
      }
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
