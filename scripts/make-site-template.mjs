// Creates the template folder of `ensureSiteTemplate` (site-template.mjs) at the path on the command line.
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const [target = ""] = process.argv.slice(2);

// `loadModule` would close too early: the backend imports some of its modules on demand.
const vite = await createServer({
  root,
  configFile: false,
  logLevel: "warn",
  appType: "custom",
  server: { middlewareMode: true, hmr: false, watch: null },
  optimizeDeps: { noDiscovery: true },
  resolve: { alias: { "#supabase": `${root}supabase` } },
});
try {
  const { makeSiteTemplate } = await vite.ssrLoadModule("/tests/support/make-site-template.ts");
  await makeSiteTemplate(target);
} finally {
  await vite.close();
}
