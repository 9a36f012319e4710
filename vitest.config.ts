import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { runFolder } from "./scripts/run-folder.mjs";
import { shortLived } from "./tests/support/short-lived.ts";

/**
 * Folders of `tests/`, grouped by how their tests run. A path runs one folder (`vitest run tests/database`). Only
 * `npm run verify` runs `abuse`, `soak` and `hosted`.
 */
const projects = {
  "in-process": ["unit", "embedded", "database", "functions", "routes", "fuzz"],
  durability: ["durability"],
  operations: ["operations"],
  abuse: ["abuse"],
  soak: ["soak"],
  hosted: ["hosted"],
};

/** Milliseconds. On a busy machine every test is slow, so the timeout only catches tests that hang. */
const timeoutMs = process.env["TESTS"] === "all" ? 1_800_000 : 300_000;

/** Tests of one module are next to it; `tests/` holds tests of several modules together. */
const colocatedTests = ["app/**/*.test.ts", "supabase/**/*.test.ts", "scripts/**/*.test.ts"];

/** Projects that test durability on disk, or start programs from disk. The others use a folder in memory. */
const onDisk = ["durability", "hosted"];

/** Projects that run the build in their own process. The build and its libraries are for production. */
const runsBuild = ["in-process", "abuse"];
const production = { NODE_ENV: "production" as const };

/** Projects that measure cost or long-term use. */
const measures = ["abuse", "soak"];

/**
 * Tests that only `npm run verify` runs: floods of generated input, each further phase of a crash, programs in front of
 * the site or beside it, the package, what takes many states or long work, and what only a change of the embedded
 * backend, the limits, the listener or an operator's command can break (CONTRIBUTING asks for `verify` before those).
 */
const rareTests = [
  "tests/database/rights/odd-arguments.test.ts",
  "tests/durability/{kill-first-start,kill-letter}.test.ts",
  "tests/embedded/{first-admin,gateway-attacks,referee}.test.ts",
  "tests/embedded/folder/{folder,lock}.test.ts",
  "tests/embedded/operations/{bucket,departures,move-to-supabase}.test.ts",
  "tests/functions/mail/mail-sessions.test.ts",
  "tests/fuzz/{any-header,broken-http,forms}.test.ts",
  "tests/operations/{audit,commands,development,doctor-project,doctor-settings}.test.ts",
  "tests/operations/{evening,facts-file,first-errors}.test.ts",
  "tests/operations/{packed-site,planted-backups,proxies}.test.ts",
  "tests/operations/{trouble,two-firms}.test.ts",
  "tests/routes/admin/accounts/{admin-sessions,second-factor}.test.ts",
  "tests/routes/admin/letters.test.ts",
  "tests/routes/backend/{count-reports,erasure-restore,mail-limits,metrics}.test.ts",
  "tests/routes/backend/{retried-reads,server-backups,shared-attempts}.test.ts",
  "tests/routes/forms/{addresses,logout,long-texts}.test.ts",
  "tests/routes/pages/markup.test.ts",
  "tests/routes/process/{backup-before-migrations,setup-warnings}.test.ts",
  "tests/routes/process/{start-early,stuck-threads}.test.ts",
  "scripts/release.test.ts",
];

/** Tests that `npm run test:quick` runs beside those of single modules: a file of each area. */
const quickTests = [
  "tests/unit/**/*.test.ts",
  "tests/database/rights/grants.test.ts",
  "tests/functions/send-contact-email.test.ts",
  "tests/routes/admin/{doors,requests}.test.ts",
  "tests/routes/consent/consent.test.ts",
  "tests/routes/edge/edge.test.ts",
  "tests/routes/forms/{contact,data-rights,network}.test.ts",
  "tests/routes/pages/{page-cache,site}.test.ts",
];

const { TESTS } = process.env;

const resolve = {
  alias: {
    "~": fileURLToPath(new URL("./app", import.meta.url)),
    "#supabase": fileURLToPath(new URL("./supabase", import.meta.url)),
  },
};

/** Components are compiled for React's production build, which the tests use. */
const esbuild = { jsxDev: false };

export default defineConfig({
  resolve,
  esbuild,
  test: {
    // Some files wait for a server of their own, so the two cores of a small machine can run more workers. (The browser
    // journeys run at the same time.) Those of `npm run verify` load it alone.
    maxWorkers: Math.max(TESTS === "usual" ? 4 : 3, availableParallelism()),
    // Reuse compiled modules that have not changed since the last run.
    experimental: { fsModuleCache: true },
    // Set up once here, not once per project.
    globalSetup: ["tests/support/vitest/share-resources.ts"],
    projects: Object.entries(projects).map(([name, folders]) => ({
      resolve,
      esbuild,
      test: {
        name,
        include: [
          ...(TESTS === "quick" ? quickTests : folders.map((folder) => `tests/${folder}/**/*.test.ts`)),
          ...(name === "in-process" ? colocatedTests : []),
        ],
        exclude: TESTS === "usual" || TESTS === "quick" ? rareTests : [],
        setupFiles: ["fail-on-console-error", "name-covered-test", "remove-data-dirs"].map(
          (file) => `tests/support/vitest/${file}.ts`,
        ),
        testTimeout: timeoutMs,
        hookTimeout: timeoutMs,
        // Vitest's second is too short on a busy machine.
        expect: { poll: { timeout: 60_000 } },
        pool: "forks" as const,
        // In-process files leave no state behind, so the next file reuses the loaded modules and the compiled PGlite.
        isolate: name !== "in-process",
        // Larger heap spaces (MB), so that garbage collection runs less often.
        execArgv: measures.includes(name)
          ? []
          : [...shortLived, "--min-semi-space-size=16", "--initial-old-space-size=400"],
        // Keep a developer's own firm facts in ./data out of the tests.
        env: {
          DATA_DIR: join(runFolder, "no-data"),
          TMPDIR: onDisk.includes(name) ? tmpdir() : runFolder,
          ...(runsBuild.includes(name) ? production : {}),
        },
        server: { deps: { external: [/\/build\/server\//] } },
      },
    })),
  },
});
