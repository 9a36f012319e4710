import { startEmbeddedTestBackend } from "./embedded-backend.ts";
import { startHostedBackend } from "./hosted-backend.ts";
import type { TestBackend } from "./test-backend.ts";

/** Every policy and query must hold on both: `describe.each(backends)`. */
export const backends: { name: string; start: () => Promise<TestBackend> }[] = [
  { name: "PGlite, embedded", start: () => startEmbeddedTestBackend() },
  { name: "PostgreSQL with PostgREST, as hosted", start: startHostedBackend },
];
