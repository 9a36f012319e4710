import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { countPlaces, createPace, slowDown } from "./mail-pace.ts";
import { mailTimes } from "./mail-times.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

it("doubles the pause with each busy reply, up to ten minutes", () => {
  const pace = createPace();
  const pauses = Array.from({ length: 16 }, () => {
    const seconds = slowDown(pace, undefined);
    vi.advanceTimersByTime(seconds * 1_000);
    return seconds;
  });
  const first = mailTimes().busy / 1_000;
  expect(pauses).toEqual(pauses.map((_, at) => Math.min(first * 2 ** at, 600)));
  expect(pauses.at(-1)).toBe(600);
});

it("counts the busy replies of parallel sessions as one", () => {
  const pace = createPace();
  expect(slowDown(pace, undefined)).toBe(slowDown(pace, undefined));
});

it("narrows the mail by a session with each busy reply, for ten minutes", () => {
  const pace = createPace();
  const places = () => countPlaces(pace, "others", false);
  expect(places()).toBe(5);
  for (const expected of [4, 3, 2, 1, 1]) {
    slowDown(pace, undefined);
    expect(places()).toBe(expected);
  }
  expect(countPlaces(pace, "letters", false)).toBe(1);
  vi.advanceTimersByTime(600_000);
  expect(places()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(places()).toBe(5);
});

it("lets a mail wait as long as its server asks, up to a day, and all others ten minutes", () => {
  const pace = createPace();
  expect(slowDown(pace, 30)).toBe(30);
  expect(pace.pausedUntil - performance.now()).toBe(30_000);
  expect(slowDown(pace, 7_200)).toBe(7_200);
  expect(slowDown(pace, 200_000)).toBe(86_400);
  expect(pace.pausedUntil - performance.now()).toBe(600_000);
});

it("starts no session beyond those that are open or have a place", () => {
  const pace = createPace();
  const held = Array.from({ length: 3 }, () => Promise.resolve());
  pace.held.others = new Set(held);
  expect(countPlaces(pace, "others", false)).toBe(2);
  expect(countPlaces(pace, "others", true)).toBe(22);
  expect(countPlaces(pace, "letters", true)).toBe(25);
  pace.open.others = new Set(Array.from({ length: 19 }, () => Promise.resolve()));
  expect(countPlaces(pace, "others", false)).toBe(1);
});
