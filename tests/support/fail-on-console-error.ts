import { afterEach, beforeEach, vi } from "vitest";

/**
 * Fails any test during which something wrote to `console.error`: an error that nobody expected is a defect.
 * A test that expects one replaces the spy: `vi.mocked(console.error).mockClear()` after asserting on it.
 */
beforeEach(() => {
  vi.spyOn(console, "error");
});

afterEach(() => {
  const calls = vi.mocked(console.error).mock.calls;
  vi.mocked(console.error).mockRestore();
  if (calls.length > 0) throw new Error(`console.error was called: ${JSON.stringify(calls)}`);
});
