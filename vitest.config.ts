import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { runFolder } from "./scripts/run-folder.mjs";
import { shortLived } from "./tests/support/short-lived.ts";

/**
 * Folders of `tests/` by how their tests run; a folder is run alone by its path (`vitest run tests/database`). `npm test` runs
 * `abuse` behind all others, because it measures, and `soak` and `hosted` only when they are asked for.
 */
const projects = {
  "in-process": ["unit", "embedded", "database", "functions", "routes", "fuzz"],
  durability: ["durability"],
  operations: ["operations"],
  abuse: ["abuse"],
  soak: ["soak"],
  hosted: ["hosted"],
};

/** Milliseconds. On a machine that has much else to do everything takes its time, and only what hangs is to be given up. */
const patience = 300_000;

/** A test of one module is beside it; in `tests/` is what proves several of them together. */
const besideSources = ["app/**/*.test.ts", "supabase/**/*.test.ts", "scripts/**/*.test.ts"];

/** Those that prove what happens on a disk, or start programs from it, have one; to all others memory is as good. */
const onDisk = ["durability", "hosted"];

/** Those that run the build in their own process: it is made for production, as are the libraries that it loads. */
const ofTheBuild = ["in-process", "abuse"];
const production = { NODE_ENV: "production" as const };

/** Those that measure what something costs, or what it takes over a long time. */
const measures = ["abuse", "soak"];

/**
 * Left out by `npm run test:quick`: what starts processes, backs up, needs PostgreSQL beside PGlite for its tables alone, sends
 * thousands of requests, opens a thousand connections, or is slow on purpose.
 */
const notQuick = [
  "tests/{embedded,fuzz}/**",
  "tests/routes/{process,backend}/**",
  "tests/routes/admin/accounts/admin-sessions.test.ts",
  "tests/routes/edge/{connections,slow-clients}.test.ts",
  "tests/routes/pages/page-cache-real.test.ts",
  "tests/functions/deno.test.ts",
  "tests/database/schema/{schema-file,seed}.test.ts",
  "tests/database/rights/{admin-sessions,second-factor}.test.ts",
];

const resolve = {
  alias: {
    "~": fileURLToPath(new URL("./app", import.meta.url)),
    "#supabase": fileURLToPath(new URL("./supabase", import.meta.url)),
  },
};

/** Components are compiled for the React that is in use, production's. */
const esbuild = { jsxDev: false };

export default defineConfig({
  resolve,
  esbuild,
  test: {
    // Some files wait for a server of their own, so that there is room for one more than the two cores of a small machine. (Beside
    // all tests run the browser's journeys.)
    maxWorkers: Math.max(3, availableParallelism()),
    // What has not changed since the last run is not compiled again.
    experimental: { fsModuleCache: true },
    // Here and not in the projects, which would each set up one.
    globalSetup: ["tests/support/vitest/share-resources.ts"],
    projects: Object.entries(projects).map(([name, folders]) => ({
      resolve,
      esbuild,
      test: {
        name,
        include: [
          ...folders.map((folder) => `tests/${folder}/**/*.test.ts`),
          ...(name === "in-process" ? besideSources : []),
        ],
        exclude: process.env.QUICK ? notQuick : [],
        setupFiles: ["tests/support/vitest/fail-on-console-error.ts", "tests/support/vitest/remove-data-dirs.ts"],
        testTimeout: name === "soak" ? 1_800_000 : patience,
        hookTimeout: patience,
        pool: "forks" as const,
        // Those leave nothing behind: their process goes on to the next file with all that it has loaded, and PGlite compiled.
        isolate: name !== "in-process",
        // With room (MB) for what tests leave behind, so that it is collected less often.
        execArgv: measures.includes(name)
          ? []
          : [...shortLived, "--min-semi-space-size=16", "--initial-old-space-size=400"],
        // A developer's own facts of a firm, in ./data, are no part of any test.
        env: {
          DATA_DIR: join(runFolder, "no-data"),
          TMPDIR: onDisk.includes(name) ? tmpdir() : runFolder,
          ...(ofTheBuild.includes(name) ? production : {}),
        },
        server: { deps: { external: [/\/build\/server\//] } },
      },
    })),
  },
});
