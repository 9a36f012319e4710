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

/** What is started by itself: the name of its file in the build, and its entry. */
const ownEntries = {
  "backend-thread": "./app/server/backend/embedded/thread-entry.server.ts",
  "backup-process": "./app/server/backend/embedded/backup-process.server.ts",
  operations: "./app/server/commands/operations.server.ts",
};

/**
 * Builds these entries beside the server. `import file from "virtual:backend-thread"` is the address of such a file: the
 * embedded backend's thread is started with it by `new Worker`, a backup as a process. (Vite's own `?worker` is for
 * browsers.) Only a build has them.
 */
function ownFiles(): Plugin {
  let files = new Map<string, string>();
  let isForServer = false;
  return {
    name: "own-files",
    apply: "build",
    configResolved: ({ build }) => void (isForServer = Boolean(build.ssr)),
    buildStart() {
      if (!isForServer) return;
      const emit = ([name, entry]: [string, string]): [string, string] => {
        const id = fileURLToPath(new URL(entry, import.meta.url));
        return [`\0virtual:${name}`, this.emitFile({ type: "chunk", id, fileName: `${name}.js` })];
      };
      files = new Map(Object.entries(ownEntries).map(emit));
    },
    resolveId: (source) => (files.has(`\0${source}`) ? `\0${source}` : null),
    load: (module) => (files.has(module) ? `export default import.meta.ROLLUP_FILE_URL_${files.get(module)};` : null),
  };
}
