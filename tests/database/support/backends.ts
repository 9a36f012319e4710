import { startEmbeddedTestBackend } from "./embedded-backend.ts";
import { type HostedBackend, startHostedBackend } from "./hosted-backend.ts";
import type { TestBackend } from "./test-backend.ts";

/** Both backends. Every policy and query must hold on each: `describe.each(backends)`. */
export const backends: { name: string; start: () => Promise<TestBackend> }[] = [
  { name: "PGlite, embedded", start: () => startEmbeddedTestBackend() },
  ...(process.env.QUICK ? [] : [{ name: "PostgreSQL with PostgREST, as hosted", start: startHostedBackend }]),
];

/** Runs statements that return no rows, as the role of migrations. `sql` of a hosted backend cannot do that. */
export async function runStatements(backend: TestBackend, statements: string): Promise<void> {
  if ("postgres" in backend) await (backend as HostedBackend).postgres.exec(statements, "postgres");
  else await backend.sql(statements);
}
