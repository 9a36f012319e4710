// Makes the folder that `ensureSiteTemplate` (site-template.mjs) gives, at the path on the command line.
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const [target = ""] = process.argv.slice(2);

// Not by `loadModule`, which closes behind itself: the backend imports parts of itself only when it needs them.
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
