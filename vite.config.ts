import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { type Plugin, defineConfig } from "vite";
import remixConfig from "./remix.config.js";
import { coreFonts } from "./scripts/assets/core-fonts.mjs";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

/** The commit of this build: from the image's build argument or Git. Without both, SITE_VERSION tells builds apart. */
function readCommit(): string {
  const { REVISION, SITE_VERSION } = process.env;
  if (REVISION && REVISION !== "unknown") return REVISION.slice(0, 12);
  const found = spawnSync("git", ["rev-parse", "--short=12", "HEAD"], { encoding: "utf8" });
  if (found.status === 0) return found.stdout.trim();
  return SITE_VERSION?.replaceAll(/[^\w.-]/g, "-") || "unknown";
}

export default defineConfig({
  define: { SITE_COMMIT: JSON.stringify(readCommit()) },
  plugins: [coreFonts(), separateEntriesPlugin(), tailwindcss(), remix(remixConfig)],
  resolve: {
    alias: {
      "~": fileURLToPath(new URL("./app", import.meta.url)),
      "#supabase": fileURLToPath(new URL("./supabase", import.meta.url)),
    },
  },
  build: {
    target: "es2022",
    // Our server serves public/ itself: copied into the client build, every file would be cached as immutable for a
    // year.
    copyPublicDir: false,
    assetsInlineLimit: 0,
  },
  optimizeDeps: { include: ["@conform-to/react"] },
});

/** Entries that run in a separate thread or process, by file name in the build. */
const separateEntries = {
  "backend-thread": "./app/server/backend/embedded/thread-entry.server.ts",
  "backup-process": "./app/server/backend/embedded/backup-process.server.ts",
  "loop-watcher": "./app/server/process/loop-watcher-entry.server.ts",
  operations: "./app/server/commands/operations.server.ts",
};

/**
 * Builds these entries next to the server. `import file from "virtual:backend-thread"` gives the URL of the built file.
 * The embedded backend and the event loop's watcher pass it to `new Worker`, and a backup runs it as a process. (Vite's
 * own `?worker` is for browsers.) Only builds have these modules.
 */
function separateEntriesPlugin(): Plugin {
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
      files = new Map(Object.entries(separateEntries).map(emit));
    },
    resolveId: (source) => (files.has(`\0${source}`) ? `\0${source}` : null),
    load: (module) => (files.has(module) ? `export default import.meta.ROLLUP_FILE_URL_${files.get(module)};` : null),
  };
}
