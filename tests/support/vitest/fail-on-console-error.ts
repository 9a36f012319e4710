import { afterEach, beforeEach, vi } from "vitest";

/**
 * Fails any test during which our own code wrote to `console.error`: an unexpected error is a defect. Errors that a
 * library writes about a backend that the test broke are lines in production's log (app/server/process/console-lines).
 * A test that expects an error clears the spy after its assertion: `vi.mocked(console.error).mockClear()`.
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
