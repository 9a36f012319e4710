import { url as findDebugger } from "node:inspector";
import type { Timeouts } from "../config/timeouts.server";
import type { Log } from "./log.server";
import { createLoopMemory } from "./loop-memory.server";
import type { TrackedRequest } from "./track-request.server";

/** A request in flight. */
type RoutedRequest = Pick<TrackedRequest, "route">;

/** Notices when this thread's event loop is held, and shows the loop's turns and the present route to a watcher. */
export type EventLoop = ReturnType<typeof createEventLoop>;

/** Periods of the observation. */
export type LoopTimeouts = Pick<Timeouts, "loopBeat" | "loopHeld" | "loopCheck">;

/** Route while no request is in flight. */
const noRoute = "none";

/**
 * Creates the observer of this thread's event loop. Looks at the clock with a timer, and with each request that begins or
 * ends: otherwise a request that was waiting would be blamed for the hold. Of several requests in flight the newest is
 * blamed.
 */
export function createEventLoop(log: Log, { loopBeat, loopHeld, loopCheck }: LoopTimeouts) {
  const memory = createLoopMemory();
  const inFlight: RoutedRequest[] = [];
  let holds = 0;
  let lookedAt = Infinity;
  let checks = 0;
  showRoute();

  function findRoute(): string {
    return inFlight.findLast(({ route }) => route !== null)?.route ?? noRoute;
  }

  function showRoute(): void {
    memory.writeRoute(findRoute());
  }

  function look(): void {
    const now = performance.now();
    const ms = Math.round(now - lookedAt - loopBeat);
    lookedAt = now;
    const checksBefore = checks;
    checks = memory.readChecks();
    if (ms <= loopHeld || wasPaused(ms, checksBefore)) return;
    holds += 1;
    log.warn({ event: "event-loop.held", route: findRoute(), ms });
  }

  /** Returns true if the watcher did not run either: the process or its machine was paused. */
  function wasPaused(ms: number, checksBefore: number): boolean {
    return checksBefore > 0 && ms - (checks - checksBefore) * loopCheck > 2 * loopCheck;
  }

  return {
    memory,
    /** Begins to observe. Modules that load before hold the loop, but no visitor waits yet. */
    begin(): void {
      lookedAt = performance.now();
      setInterval(() => {
        look();
        memory.beat(findDebugger() !== undefined);
      }, loopBeat).unref();
    },
    /** Counts a request as in flight. */
    enter(request: RoutedRequest): void {
      look();
      inFlight.push(request);
    },
    /** Shows the watcher the route of the newest request, which is known by now. */
    showRoute,
    leave(request: RoutedRequest): void {
      look();
      inFlight.splice(inFlight.lastIndexOf(request), 1);
      showRoute();
    },
    /** Returns how many times the loop was held. */
    countHolds: () => holds,
  };
}
