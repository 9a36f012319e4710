import { afterEach, beforeEach, vi } from "vitest";

/**
 * Fails any test during which our own code wrote to `console.error`: an error that nobody expected is a defect. What a
 * library writes of a backend that the test itself broke is a line in production's log (app/server/process/console-lines).
 * A test that expects one replaces the spy: `vi.mocked(console.error).mockClear()` after asserting on it.
 */
let unexpected: unknown[][] = [];

beforeEach(() => {
  unexpected = [];
  vi.spyOn(console, "error").mockImplementation((...written) => {
    const frames = new Error().stack?.split("\n").slice(1) ?? [];
    const caller = frames.find((frame) => !/vitest|tinyspy|fail-on-console-error/.test(frame)) ?? "";
    if (!caller.includes("node_modules")) unexpected.push(written);
  });
});

afterEach(() => {
  const { calls } = vi.mocked(console.error).mock;
  const found = calls.length === 0 ? [] : unexpected;
  vi.mocked(console.error).mockRestore();
  if (found.length > 0) throw new Error(`console.error was called: ${JSON.stringify(found)}`);
});
