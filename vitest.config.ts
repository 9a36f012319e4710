import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** One project a kind of proof; each can be run alone (`vitest run --project database`). */
const kinds = ["unit", "embedded", "database", "functions", "routes", "durability", "operations", "load"];

export default defineConfig({
  resolve: {
    alias: {
      "~": fileURLToPath(new URL("./app", import.meta.url)),
      "#supabase": fileURLToPath(new URL("./supabase", import.meta.url)),
    },
  },
  test: {
    // Most files wait for a server of their own: a machine of two cores has room for two of them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: kinds.map((kind) => ({
      extends: true as const,
      test: {
        name: kind,
        include: [`tests/${kind}/**/*.test.ts`],
        setupFiles: ["tests/support/fail-on-console-error.ts"],
        testTimeout: kind === "load" ? 180_000 : 60_000,
        hookTimeout: 120_000,
        pool: "forks" as const,
      },
    })),
  },
});
