import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type EventLoop, createEventLoop } from "./event-loop.server";
import type { LogEvent } from "./log.server";

const periods = { loopBeat: 50, loopHeld: 500, loopCheck: 1_000 };

let events: LogEvent[];
let loop: EventLoop;
let clock: { mockReturnValue(now: number): unknown; mockRestore(): void };
let now: number;
beforeEach(() => {
  vi.useFakeTimers();
  now = 0;
  clock = vi.spyOn(performance, "now").mockReturnValue(now);
  events = [];
  const log = { info: () => {}, warn: (event: LogEvent) => void events.push(event), error: () => {} };
  loop = createEventLoop(log, periods);
  loop.begin();
});
afterEach(() => {
  clock.mockRestore();
  vi.useRealTimers();
});

/** Lets time pass in which no timer runs. */
function hold(ms: number): void {
  clock.mockReturnValue((now += ms));
}
function runTimer(): void {
  vi.advanceTimersByTime(periods.loopBeat);
}

const page = { route: "/services/:service" };
const other = { route: "/about" };
const enterBothAndLeave = () => [loop.enter(page), loop.enter(other), loop.leave(other)];

it.each([
  ["the request in flight", () => loop.enter(page), runTimer, page.route],
  ["a request that ended with the hold", () => loop.enter(page), () => loop.leave(page), page.route],
  ["the request before the one that waited", () => loop.enter(page), () => loop.enter(other), page.route],
  ["the newest of two requests", () => [other, page].forEach(loop.enter), runTimer, page.route],
  ["the other one once the newest has ended", enterBothAndLeave, runTimer, page.route],
  ["no route if the last request has ended", () => [loop.enter(page), loop.leave(page)], runTimer, "none"],
  ["no route if a health probe is in flight", () => loop.enter({ route: null }), runTimer, "none"],
])("logs and counts a held event loop once, with %s", (_, before, after, route) => {
  before();
  hold(800);
  after();
  runTimer();
  expect(events).toEqual([{ event: "event-loop.held", route, ms: 750 }]);
  expect(loop.countHolds()).toBe(1);
});

it("logs no hold of up to half a second", () => {
  hold(periods.loopHeld + periods.loopBeat);
  runTimer();
  expect(events).toEqual([]);
});

it("logs a hold after a minute, but not if the watcher was paused as well", () => {
  loop.memory.countCheck();
  runTimer();
  hold(60_000);
  for (let second = 0; second < 59; second += 1) loop.memory.countCheck();
  runTimer();
  expect(events).toMatchObject([{ ms: 59_950 }]);
  hold(60_000);
  loop.memory.countCheck();
  runTimer();
  expect(loop.countHolds()).toBe(1);
});

it("shows the watcher turns of the loop, and the newest route while its request is in flight", () => {
  expect(loop.memory.readRoute()).toBe("none");
  const request: { route: string | null } = { route: "(refused)" };
  loop.enter(request);
  request.route = page.route;
  loop.showRoute();
  expect(loop.memory.readRoute()).toBe("/services/:service");
  loop.leave(request);
  expect(loop.memory.readRoute()).toBe("none");
  const beats = loop.memory.readBeats() ?? 0;
  runTimer();
  expect(loop.memory.readBeats()).toBe(beats + 1);
});
