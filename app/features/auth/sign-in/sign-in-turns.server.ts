import { RateLimiterMemory } from "rate-limiter-flexible";

/** How many may go at once, and who may wait. */
export interface TurnRules {
  /** in one line, at the same time */
  atOnce: number;
  /** in all lines together */
  waiting: number;
  /** of one client in one line */
  waitingOfClient: number;
  waitMs: number;
}

/** Lets the tries of many clients go a few at a time. */
export interface Turns {
  /**
   * Waits for a turn in a line. The client with the fewest turns there in the last quarter of an hour is next: a crowd that tries
   * again and again does not keep out somebody who has just come.
   * @param beforeWait called if it has to wait
   * @returns ends the turn, and must be called; null where no turn came in time, or too many wait
   */
  enter(line: string, client: string, beforeWait: () => void): Promise<(() => void) | null>;
}

interface Waiting {
  client: string;
  turnsHad: number;
  settle(hasTurn: boolean): void;
}

interface Line {
  running: number;
  /** in the order of their coming */
  queue: Waiting[];
}

/** Makes lines that nobody stands in. */
export function createTurns({ atOnce, waiting, waitingOfClient, waitMs }: TurnRules): Turns {
  const lines = new Map<string, Line>();
  const had = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 15 * 60 });

  /** The last in turn of all lines goes, unless it has had fewer turns than the newcomer. */
  function makeRoom(turnsHad: number): boolean {
    const all = [...lines.values()].flatMap(({ queue }) => queue);
    if (all.length < waiting) return true;
    const last = all.toSorted((a, b) => b.turnsHad - a.turnsHad)[0];
    if (last === undefined || last.turnsHad <= turnsHad) return false;
    last.settle(false);
    return true;
  }

  function startNext(name: string): void {
    const line = lines.get(name);
    if (!line) return;
    const [next] = line.queue.toSorted((a, b) => a.turnsHad - b.turnsHad);
    if (next) next.settle(true);
    else if (line.running === 0) lines.delete(name);
  }

  function wait(line: Line, who: Pick<Waiting, "client" | "turnsHad">): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => entered.settle(false), waitMs);
      const entered: Waiting = {
        ...who,
        settle(hasTurn) {
          clearTimeout(timer);
          line.queue.splice(line.queue.indexOf(entered), 1);
          // At once, so that nobody else takes the place meanwhile.
          if (hasTurn) line.running += 1;
          resolve(hasTurn);
        },
      };
      line.queue.push(entered);
    });
  }

  return {
    async enter(name, client, beforeWait) {
      const key = `${name} ${client}`;
      const turnsHad = (await had.get(key))?.consumedPoints ?? 0;
      const line: Line = lines.get(name) ?? { running: 0, queue: [] };
      lines.set(name, line);
      const isFree = line.running < atOnce && line.queue.length === 0;
      if (!isFree) {
        const own = line.queue.filter((other) => other.client === client);
        if (own.length >= waitingOfClient || !makeRoom(turnsHad)) return null;
        beforeWait();
      }
      if (isFree) line.running += 1;
      else if (!(await wait(line, { client, turnsHad }))) return null;
      await had.consume(key);
      return () => {
        line.running -= 1;
        startNext(name);
      };
    },
  };
}
