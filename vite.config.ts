import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { type Plugin, defineConfig } from "vite";
import remixConfig from "./remix.config.js";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

export default defineConfig({
  plugins: [backendThread(), tailwindcss(), remix(remixConfig)],
  resolve: {
    alias: {
      "~": fileURLToPath(new URL("./app", import.meta.url)),
      "#supabase": fileURLToPath(new URL("./supabase", import.meta.url)),
    },
  },
  build: {
    target: "es2022",
    // Our server serves public/ itself: copied into the client build, every file would be immutable for a year.
    copyPublicDir: false,
    assetsInlineLimit: 0,
  },
  optimizeDeps: { include: ["@conform-to/react"] },
});

/**
 * `import file from "virtual:backend-thread"`: the address of the file that the embedded backend's thread is started with,
 * which is built for `new Worker`. (Vite's own `?worker` is for browsers.) Only a build has it.
 */
function backendThread(): Plugin {
  const id = "virtual:backend-thread";
  return {
    name: "backend-thread",
    apply: "build",
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load(module) {
      if (module !== `\0${id}`) return null;
      const entry = fileURLToPath(new URL("./app/server/backend/embedded/thread-entry.server.ts", import.meta.url));
      const file = this.emitFile({ type: "chunk", id: entry, fileName: "backend-thread.js" });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
  };
}
