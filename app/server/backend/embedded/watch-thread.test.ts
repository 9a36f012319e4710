import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type StuckCause, type ThreadWatch, watchThread } from "./watch-thread.server";

const timeouts = { threadProbe: 5_000, threadSilence: 30_000, threadCall: 20_000, threadLongWork: 600_000 };
const never = () => new Promise<void>(() => {});
const immediately = async () => {};

let causes: StuckCause[];
let watch: ThreadWatch | undefined;
beforeEach(() => {
  vi.useFakeTimers();
  causes = [];
});
afterEach(() => {
  watch?.stop();
  vi.useRealTimers();
});

function start(isAlive: () => Promise<unknown>, isDatabaseFree: () => Promise<unknown>): ThreadWatch {
  watch = watchThread({ isAlive, isDatabaseFree }, (cause) => causes.push(cause), timeouts);
  return watch;
}

it("reports a thread once after half a minute of silence, and never one that responds", async () => {
  start(immediately, immediately);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(causes).toEqual([]);
  start(never, never);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(causes).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(causes).toEqual(["silent"]);
});

it("reports a responsive thread after three consecutive database calls without a result", async () => {
  start(immediately, never);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(causes).toEqual([]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(causes).toEqual(["calls-unanswered"]);
});

it("restarts the count after each result, even a database error", async () => {
  let calls = 0;
  const everyThird = () => ((calls += 1) % 3 === 0 ? Promise.reject(new Error("refused")) : never());
  start(immediately, everyThird);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(causes).toEqual([]);
  expect(calls).toBeGreaterThan(100);
});

it("allows long work ten minutes, and restarts the count after it", async () => {
  const { setLongWork } = start(never, never);
  await vi.advanceTimersByTimeAsync(20_000);
  setLongWork(true);
  await vi.advanceTimersByTimeAsync(590_000);
  setLongWork(false);
  await vi.advanceTimersByTimeAsync(25_000);
  expect(causes).toEqual([]);
  setLongWork(true);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(causes).toEqual(["long-work"]);
});

it("does not count time in which the watching thread was suspended too", async () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  start(never, never);
  for (const at of [60_000, 120_000]) {
    clock.mockReturnValue(at);
    await vi.advanceTimersByTimeAsync(5_000);
  }
  clock.mockRestore();
  expect(causes).toEqual([]);
});
