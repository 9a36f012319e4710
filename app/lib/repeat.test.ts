import { afterEach, expect, it, vi } from "vitest";
import { repeat } from "~/lib/repeat";
import { withTimeout } from "~/lib/with-timeout";

const endless = new Promise<string>(() => {});

afterEach(() => {
  vi.useRealTimers();
});

it("runs one at a time, pauses after each run, and stops after the current run", async () => {
  vi.useFakeTimers();
  const runs: string[] = [];
  const work = async () => {
    runs.push("begins");
    await withTimeout(endless, 300, () => null);
    runs.push("ends");
  };
  const repetition = repeat(work, { firstAfterMs: 100, everyMs: 1_000 });
  await vi.advanceTimersByTimeAsync(1_399);
  expect(runs).toEqual(["begins", "ends"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toEqual(["begins", "ends", "begins"]);
  const stopped = repetition.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  await stopped;
  expect(runs).toEqual(["begins", "ends", "begins", "ends"]);
});

it("waits for work until the timeout", async () => {
  expect(await withTimeout(Promise.resolve("done"), 1_000, () => "late")).toBe("done");
  expect(await withTimeout(endless, 10, () => "late")).toBe("late");
  await expect(withTimeout(Promise.reject(new Error("broken")), 1_000, () => "late")).rejects.toThrow("broken");
});
