import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type LoopMemory, createLoopMemory } from "../observability/loop-memory.server";
import { watchBeats } from "./loop-watcher-entry.server";

const periods = { loopCheck: 1_000, loopSilence: 60_000 };

let memory: LoopMemory;
let silences: number;
beforeEach(() => {
  vi.useFakeTimers();
  memory = createLoopMemory();
  silences = 0;
  watchBeats(createLoopMemory(memory.buffer), periods, () => (silences += 1));
});
afterEach(() => vi.useRealTimers());

it("reports an event loop once, after sixty checks without a turn", () => {
  vi.advanceTimersByTime(59_999);
  expect(silences).toBe(0);
  vi.advanceTimersByTime(120_000);
  expect(silences).toBe(1);
});

it("starts to count again after each turn of the loop", () => {
  for (let turn = 0; turn < 100; turn += 1) {
    vi.advanceTimersByTime(59_000);
    memory.beat(false);
  }
  expect(silences).toBe(0);
});

it("does not count while a debugger is attached", () => {
  memory.beat(true);
  vi.advanceTimersByTime(3_600_000);
  expect(silences).toBe(0);
  memory.beat(false);
  vi.advanceTimersByTime(61_000);
  expect(silences).toBe(1);
});

it("does not count time in which it was paused as well", () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  vi.advanceTimersByTime(1_000);
  for (const at of [60_000, 3_600_000]) {
    clock.mockReturnValue(at);
    vi.setSystemTime(at);
    vi.advanceTimersByTime(1_000);
  }
  clock.mockRestore();
  expect(silences).toBe(0);
});
