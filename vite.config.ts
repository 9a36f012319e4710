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
  plugins: [ownFiles(), tailwindcss(), remix(remixConfig)],
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

/** What the server starts beside itself, each from a file of its own: the name after `virtual:`, and its entry. */
const startedBeside: Record<string, string> = {
  "backend-thread": "./app/server/backend/embedded/thread-entry.server.ts",
  "backup-process": "./app/server/backend/embedded/backup-process.server.ts",
};

/**
 * `import file from "virtual:backend-thread"`: the address of the file that the embedded backend's thread is started with,
 * which is built for `new Worker`; the same of a backup's process. (Vite's own `?worker` is for browsers.) Only a build has
 * them.
 */
function ownFiles(): Plugin {
  return {
    name: "own-files",
    apply: "build",
    resolveId: (source) => (source.replace(/^virtual:/, "") in startedBeside ? `\0${source}` : null),
    load(module) {
      const name = /^\0virtual:(.+)$/.exec(module)?.[1] ?? "";
      const entry = startedBeside[name];
      if (entry === undefined) return null;
      const file = this.emitFile({
        type: "chunk",
        id: fileURLToPath(new URL(entry, import.meta.url)),
        fileName: `${name}.js`,
      });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
  };
}
