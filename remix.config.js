import { routes } from "./app/routes.ts";

/**
 * Options of Remix; `vite.config.ts` passes them to the plugin.
 * @type {import("@remix-run/dev").VitePluginConfig}
 */
export default {
  appDirectory: "app",
  // The table in app/routes.ts defines the routes, not file names.
  ignoredRouteFiles: ["**/*"],
  routes: (defineRoutes) =>
    defineRoutes((route) => {
      // A module may serve several paths, so the path is the id.
      for (const [path, file] of Object.entries(routes)) {
        route(path, `routes/${file}`, { id: `/${path}`, index: path === "" });
      }
    }),
  serverBuildFile: "index.js",
  serverModuleFormat: "esm",
  future: {
    v3_fetcherPersist: true,
    // Off: it adds an endpoint that takes seconds to respond to a request with many paths (CVE-2026-55685).
    v3_lazyRouteDiscovery: false,
    v3_relativeSplatPath: true,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
  },
};
