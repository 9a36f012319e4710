import { startEmbeddedTestBackend } from "./embedded-backend.ts";
import { type HostedBackend, startHostedBackend } from "./hosted-backend.ts";
import type { TestBackend } from "./test-backend.ts";

/** Every policy and query must hold on both: `describe.each(backends)`. */
export const backends: { name: string; start: () => Promise<TestBackend> }[] = [
  { name: "PGlite, embedded", start: () => startEmbeddedTestBackend() },
  ...(process.env.QUICK ? [] : [{ name: "PostgreSQL with PostgREST, as hosted", start: startHostedBackend }]),
];

/** Runs statements that return nothing, as the role that migrations run as: what `sql` of a hosted backend cannot. */
export async function runStatements(backend: TestBackend, statements: string): Promise<void> {
  if ("postgres" in backend) await (backend as HostedBackend).postgres.exec(statements, "postgres");
  else await backend.sql(statements);
}
