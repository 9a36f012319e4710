/** Memory that the event loop's thread shares with the thread that watches it. */
export interface LoopMemory {
  readonly buffer: SharedArrayBuffer;
  /** The loop's thread: counts a turn of the loop. @param isDebugged a debugger may hold the loop */
  beat(isDebugged: boolean): void;
  /** The loop's thread: stores the route pattern for the watcher's log line. */
  writeRoute(route: string): void;
  /** The watcher: counts a check that it has made. */
  countCheck(): void;
  /** Returns the number of turns so far, null while a debugger is attached. */
  readBeats(): number | null;
  readRoute(): string;
  /** Returns the number of checks so far. */
  readChecks(): number;
}

/** Positions of the numbers; the route follows them. */
const beats = 0;
const checks = 1;
const debugged = 2;
const numbersBytes = 12;
/** Longer patterns are cut. */
const routeBytes = 128;

/** Creates the memory, or opens it in the other thread. */
export function createLoopMemory(
  buffer: SharedArrayBuffer = new SharedArrayBuffer(numbersBytes + routeBytes),
): LoopMemory {
  const numbers = new Int32Array(buffer, 0, numbersBytes / 4);
  // The watcher reads it while the loop is stuck, so never while it is written.
  const text = Buffer.from(buffer, numbersBytes);

  return {
    buffer,
    beat(isDebugged) {
      Atomics.store(numbers, debugged, Number(isDebugged));
      Atomics.add(numbers, beats, 1);
    },
    writeRoute: (pattern) => void text.fill(0).write(pattern, "latin1"),
    countCheck: () => void Atomics.add(numbers, checks, 1),
    readBeats: () => (Atomics.load(numbers, debugged) === 1 ? null : Atomics.load(numbers, beats)),
    readRoute: () => text.toString("latin1").replace(/\0+$/, ""),
    readChecks: () => Atomics.load(numbers, checks),
  };
}
