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

/** Positions of the numbers; a table of routes follows them. */
const beats = 0;
const checks = 1;
const debugged = 2;
const presentRoute = 3;
const numbersBytes = 16;
/** Longer patterns are cut. */
const routeBytes = 128;
/** More than there are route patterns. */
const tableSize = 256;

/** Creates the memory, or opens it in the other thread. */
export function createLoopMemory(
  buffer: SharedArrayBuffer = new SharedArrayBuffer(numbersBytes + tableSize * routeBytes),
): LoopMemory {
  const numbers = new Int32Array(buffer, 0, numbersBytes / 4);
  const table = Buffer.from(buffer, numbersBytes);
  /** Places in the table. Each request changes the route, and writing the text each time would take microseconds. */
  const places = new Map<string, number>();

  function findPlace(pattern: string): number {
    const known = places.get(pattern);
    if (known !== undefined) return known;
    const place = Math.min(places.size, tableSize - 1);
    table.fill(0, place * routeBytes, (place + 1) * routeBytes);
    table.write(pattern, place * routeBytes, routeBytes, "latin1");
    places.set(pattern, place);
    return place;
  }

  return {
    buffer,
    beat(isDebugged) {
      Atomics.store(numbers, debugged, Number(isDebugged));
      Atomics.add(numbers, beats, 1);
    },
    writeRoute: (pattern) => void Atomics.store(numbers, presentRoute, findPlace(pattern)),
    countCheck: () => void Atomics.add(numbers, checks, 1),
    readBeats: () => (Atomics.load(numbers, debugged) === 1 ? null : Atomics.load(numbers, beats)),
    readRoute() {
      const start = Atomics.load(numbers, presentRoute) * routeBytes;
      return table.toString("latin1", start, start + routeBytes).replace(/\0+$/, "");
    },
    readChecks: () => Atomics.load(numbers, checks),
  };
}
