import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** One project a kind of proof; each can be run alone (`vitest run --project database`). */
const kinds = ["unit", "embedded", "database", "functions", "routes", "durability", "operations"];

export default defineConfig({
  resolve: {
    alias: {
      "~": fileURLToPath(new URL("./app", import.meta.url)),
      "#supabase": fileURLToPath(new URL("./supabase", import.meta.url)),
    },
  },
  test: {
    projects: kinds.map((kind) => ({
      extends: true as const,
      test: {
        name: kind,
        include: [`tests/${kind}/**/*.test.ts`],
        setupFiles: ["tests/support/fail-on-console-error.ts"],
        testTimeout: 60_000,
        hookTimeout: 120_000,
        pool: "forks" as const,
      },
    })),
  },
});
