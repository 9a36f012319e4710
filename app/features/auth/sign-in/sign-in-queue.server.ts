import { RateLimiterMemory } from "rate-limiter-flexible";

/** Limits of the sign-in queues. */
export interface QueueLimits {
  /** attempts of one queue that may run at a time */
  slots: number;
  /** waiting attempts in all queues together */
  waiting: number;
  /** waiting attempts of one client in one queue */
  waitingPerClient: number;
  waitMs: number;
}

/** Queues that let a few sign-in attempts run at a time. */
export interface SignInQueues {
  /**
   * Waits for a slot in a queue. The next slot goes to the client that had the fewest slots there in the last 15
   * minutes, so a crowd that keeps retrying does not keep a newcomer out.
   * @param beforeWait called if the attempt has to wait
   * @returns a function that frees the slot, and must be called; null if no slot came free in time or too many attempts
   *   wait
   */
  acquire(queue: string, client: string, beforeWait: () => void): Promise<(() => void) | null>;
}

interface WaitingAttempt {
  client: string;
  slotsHad: number;
  settle(hasSlot: boolean): void;
}

interface Queue {
  running: number;
  /** in order of arrival */
  waiting: WaitingAttempt[];
}

/** Creates empty queues. */
export function createSignInQueues({ slots, waiting, waitingPerClient, waitMs }: QueueLimits): SignInQueues {
  const queues = new Map<string, Queue>();
  const had = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 15 * 60 });

  /** Rejects the waiting attempt with the most slots had, in any queue, unless the newcomer has had as many. */
  function makeRoom(slotsHad: number): boolean {
    const all = [...queues.values()].flatMap((queue) => queue.waiting);
    if (all.length < waiting) return true;
    const last = all.toSorted((a, b) => b.slotsHad - a.slotsHad)[0];
    if (last === undefined || last.slotsHad <= slotsHad) return false;
    last.settle(false);
    return true;
  }

  function startNext(name: string): void {
    const queue = queues.get(name);
    if (!queue) return;
    const [next] = queue.waiting.toSorted((a, b) => a.slotsHad - b.slotsHad);
    if (next) next.settle(true);
    else if (queue.running === 0) queues.delete(name);
  }

  function wait(queue: Queue, who: Pick<WaitingAttempt, "client" | "slotsHad">): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => entered.settle(false), waitMs);
      const entered: WaitingAttempt = {
        ...who,
        settle(hasSlot) {
          clearTimeout(timer);
          queue.waiting.splice(queue.waiting.indexOf(entered), 1);
          // Synchronously, so that no other attempt takes the slot first.
          if (hasSlot) queue.running += 1;
          resolve(hasSlot);
        },
      };
      queue.waiting.push(entered);
    });
  }

  return {
    async acquire(name, client, beforeWait) {
      const key = `${name} ${client}`;
      const slotsHad = (await had.get(key))?.consumedPoints ?? 0;
      const queue: Queue = queues.get(name) ?? { running: 0, waiting: [] };
      queues.set(name, queue);
      const isFree = queue.running < slots && queue.waiting.length === 0;
      if (!isFree) {
        const own = queue.waiting.filter((other) => other.client === client);
        if (own.length >= waitingPerClient || !makeRoom(slotsHad)) return null;
        beforeWait();
      }
      if (isFree) queue.running += 1;
      else if (!(await wait(queue, { client, slotsHad }))) return null;
      await had.consume(key);
      return () => {
        queue.running -= 1;
        startNext(name);
      };
    },
  };
}
