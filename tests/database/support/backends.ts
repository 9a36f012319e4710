import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { startEmbeddedTestBackend } from "./embedded-backend.ts";
import { startHostedBackend } from "./hosted-backend.ts";
import type { TestBackend } from "./test-backend.ts";

/**
 * Files that run on PGlite, too, with what its build, its one session or the gateway in front of it may do differently.
 * The others run on it with `TESTS=all`.
 */
const filesOnPGlite: Record<string, string> = {
  "data-rights/data-rights-erasure": "transactions, and triggers that a setting of the transaction lets pass",
  "data-rights/data-rights-time-zones": "data of time zones",
  "inbox/inbox-lists": "letter case and LIKE",
  "inbox/receive-submission": "regular expressions, letter case and Unicode normalization",
  "mail/outbox": "skip locked, arrays and composite types as parameters",
  "network/mail-states": "rows of values in a function, with a composite parameter",
  "network/lines": "classes of Unicode characters",
  "retention/retention-refused": "savepoints, and errors of triggers inside them",
  "rights/admin-sessions": "sessions and their expiry come from our own sign-in service",
  "rights/grants": "roles and default privileges",
  "rights/odd-arguments": "conversion of parameters, SQLSTATE in responses",
};

interface Engine {
  name: string;
  start(): Promise<TestBackend>;
}

const postgres: Engine = { name: "PostgreSQL with PostgREST", start: () => startHostedBackend() };
const olderPostgres: Engine = { name: "PostgreSQL 17 with PostgREST", start: () => startHostedBackend("17") };
const pglite: Engine = { name: "PGlite, embedded", start: startEmbeddedTestBackend };

/** PostgREST has a package for this platform only. */
const hasPostgrest = process.platform === "linux" && process.arch === "x64";

const testsFolder = fileURLToPath(new URL("..", import.meta.url));

/**
 * Declares tests of policies, functions and queries. They run on PostgreSQL, the files above also on PGlite. `TESTS=all`
 * runs all on both, and on the older PostgreSQL of hosted projects; `TESTS=quick` runs all on one.
 * @param body gets a backend that starts before the first test and closes after the last
 */
export function eachBackend(name: string, body: (backend: TestBackend) => void): void {
  describeEach(chooseEngines(), name, body);
}

/** Declares tests of calls that run at the same time, which PGlite's only session never does. */
export function eachPostgres(name: string, body: (backend: TestBackend) => void): void {
  describeEach(process.env.TESTS === "all" ? [postgres, olderPostgres] : [postgres], name, body);
}

function describeEach(engines: Engine[], name: string, body: (backend: TestBackend) => void): void {
  describe.each(engines)(`${name} on $name`, ({ start }) => {
    body(useBackend(start));
  });
}

function chooseEngines(): Engine[] {
  if (process.env.TESTS === "all") return [postgres, olderPostgres, pglite];
  if (process.env.TESTS === "quick") return [hasPostgrest ? postgres : pglite];
  const file = relative(testsFolder, expect.getState().testPath ?? "").replace(".test.ts", "");
  return file in filesOnPGlite ? [postgres, pglite] : [postgres];
}

/** Starts a backend before the tests of a `describe`. The returned object has its methods from then on. */
export function useBackend<Backend extends TestBackend>(start: () => Promise<Backend>): Backend {
  const backend = {} as Backend;
  beforeAll(async () => void Object.assign(backend, await start()));
  afterAll(() => backend.close?.());
  return backend;
}
