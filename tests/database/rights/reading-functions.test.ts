import { afterAll, beforeAll, expect, it } from "vitest";
import { readingFunctions } from "~/server/backend/calls/retry-reads.server.ts";
import { startEmbeddedTestBackend } from "../support/embedded-backend.ts";
import type { TestBackend } from "../support/test-backend.ts";

let backend: TestBackend;

beforeAll(async () => {
  backend = await startEmbeddedTestBackend();
});
afterAll(() => backend?.close());

it("knows every function that the site may call twice as one that writes nothing", async () => {
  const stable = await backend.sql<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and provolatile in ('s', 'i')`,
  );
  expect(stable.map(({ name }) => name)).toEqual(expect.arrayContaining([...readingFunctions]));
});
