import { createMemo } from "~/lib/memo";

/** Memory that the event loop's thread shares with the thread that watches it. */
export type LoopMemory = ReturnType<typeof createLoopMemory>;

/** Positions of the numbers; the route follows them. */
const beats = 0;
const checks = 1;
const debugged = 2;
const numbersBytes = 12;
/** Longer patterns are cut. */
const routeBytes = 128;
/** More than there are patterns. */
const maxRoutes = 500;

/** Creates the memory, or opens it in the other thread. */
export function createLoopMemory(buffer = new SharedArrayBuffer(numbersBytes + routeBytes)) {
  const numbers = new Int32Array(buffer, 0, numbersBytes / 4);
  // The watcher reads it while the loop is stuck, so never while it is written.
  const text = Buffer.from(buffer, numbersBytes);
  const remember = createMemo<Buffer>(maxRoutes);
  const encode = (route: string) => Buffer.from(route.padEnd(routeBytes, "\0").slice(0, routeBytes), "latin1");

  return {
    buffer,
    /** The loop's thread: counts a turn of the loop. @param isDebugged a debugger may hold the loop */
    beat(isDebugged: boolean): void {
      Atomics.store(numbers, debugged, Number(isDebugged));
      Atomics.add(numbers, beats, 1);
    },
    /** The loop's thread: stores the route pattern for the watcher's log line, with each request. */
    writeRoute: (route: string) => text.set(remember(route, () => encode(route))),
    /** The watcher: counts a check that it has made. */
    countCheck: () => void Atomics.add(numbers, checks, 1),
    /** Returns the number of turns so far, null while a debugger is attached. */
    readBeats: () => (Atomics.load(numbers, debugged) === 1 ? null : Atomics.load(numbers, beats)),
    readRoute: () => text.toString("latin1").replace(/\0+$/, ""),
    /** Returns the number of checks so far. */
    readChecks: () => Atomics.load(numbers, checks),
  };
}
