import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type StuckCause, type ThreadWatch, watchThread } from "./watch-thread.server";

const timeouts = { threadProbe: 5_000, threadSilence: 30_000, threadCall: 20_000, threadLongWork: 600_000 };
const never = () => new Promise<void>(() => {});
const atOnce = async () => {};

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

it("reports a thread once that was silent for half a minute, and none that answers", async () => {
  start(atOnce, atOnce);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(causes).toEqual([]);
  start(never, never);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(causes).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(causes).toEqual(["silent"]);
});

it("reports a thread whose database answers none of three calls in a row, though it answers by itself", async () => {
  start(atOnce, never);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(causes).toEqual([]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(causes).toEqual(["calls-unanswered"]);
});

it("begins to count anew after each answer, also after an error of the database's", async () => {
  let calls = 0;
  const everyThird = () => ((calls += 1) % 3 === 0 ? Promise.reject(new Error("refused")) : never());
  start(atOnce, everyThird);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(causes).toEqual([]);
  expect(calls).toBeGreaterThan(100);
});

it("gives long work ten minutes, and counts anew when it is over", async () => {
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

it("does not count time in which the watching thread stood still as well", async () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  start(never, never);
  for (const at of [60_000, 120_000]) {
    clock.mockReturnValue(at);
    await vi.advanceTimersByTimeAsync(5_000);
  }
  clock.mockRestore();
  expect(causes).toEqual([]);
});
