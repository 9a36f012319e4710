/** Something that has to be rendered for one visitor. */
export interface RenderTask {
  /** rate limit key of the client; the queue is round robin over clients */
  readonly client: string;
  /** a posted form, which may displace a waiting page: a page can be reloaded without loss */
  readonly isForm: boolean;
  /** @param done must be called once nothing is left to be computed for it */
  start(done: () => void): void;
  /** there was no place, or none came free in time */
  refuse(): void;
}

/** Bounds how much is rendered at once, so that everybody else is answered meanwhile (docs/decisions/server/0031-render-queue.md). */
export interface RenderQueue {
  /** @returns cancels the task if it has not started, for when its client disconnects */
  enter(task: RenderTask): () => void;
}

/** How much a queue takes. */
export interface RenderQueueLimits {
  /** rendered at the same time */
  running: number;
  /** waiting at the same time */
  waiting: number;
  waitMs: number;
}

/** One more page takes some 10 ms, so that the last in a full queue is rendered within its time (`timeouts.renderQueue`). */
export const maxWaitingRenders = 100;

/**
 * Node takes one new connection in each turn of its event loop. With a render in each, the hundredth visitor of a rush would
 * wait for a hundred renders to be let in; a turn with nothing to do takes some microseconds.
 */
const turnsBetweenStarts = 25;

interface WaitingTask {
  readonly task: RenderTask;
  readonly timer: NodeJS.Timeout;
}

/**
 * Round robin over clients, alternating between forms and pages; no client has more than half of the places, and its further
 * requests wait behind its own. Rendering blocks the event loop, so some turns of the loop pass before each start.
 */
export function createRenderQueue(limits: RenderQueueLimits): RenderQueue {
  const runningShare = Math.ceil(limits.running / 2);
  const waitingShare = Math.ceil(limits.waiting / 2);
  /** in the order of their turns */
  const waiting = new Map<string, WaitingTask[]>();
  const running = new Map<string, number>();
  let waitingCount = 0;
  let runningCount = 0;
  let isPlanned = false;
  let isFormsTurn = true;

  function plan(): void {
    if (isPlanned || runningCount >= limits.running || findNext() === undefined) return;
    isPlanned = true;
    afterTurns(turnsBetweenStarts, () => {
      isPlanned = false;
      startNext();
      plan();
    });
  }

  /** Every other start is a form's, if any waits: behind a hundred clients its turn would come too late. */
  function findNext(): WaitingTask | undefined {
    const own = [...waiting].filter(([client]) => (running.get(client) ?? 0) < runningShare).map(([, tasks]) => tasks);
    const form = isFormsTurn ? own.flat().find(({ task }) => task.isForm) : undefined;
    return form ?? own[0]?.[0];
  }

  function startNext(): void {
    const next = findNext();
    if (next === undefined) return;
    isFormsTurn = !isFormsTurn;
    const { client } = next.task;
    const others = remove(next);
    if (others.length > 0) {
      waiting.delete(client);
      waiting.set(client, others);
    }
    runningCount += 1;
    running.set(client, (running.get(client) ?? 0) + 1);
    let isDone = false;
    next.task.start(() => {
      if (isDone) return;
      isDone = true;
      runningCount -= 1;
      const left = (running.get(client) ?? 1) - 1;
      if (left === 0) running.delete(client);
      else running.set(client, left);
      plan();
    });
  }

  /** @returns what the same client still waits for */
  function remove({ task, timer }: WaitingTask): WaitingTask[] {
    const own = waiting.get(task.client) ?? [];
    const others = own.filter((other) => other.task !== task);
    if (others.length === own.length) return own;
    clearTimeout(timer);
    waitingCount -= 1;
    if (others.length === 0) waiting.delete(task.client);
    else waiting.set(task.client, others);
    return others;
  }

  /** @returns whether there is a place for one more, now if not before */
  function makeRoom({ client, isForm }: RenderTask): boolean {
    const own = waiting.get(client) ?? [];
    if (own.length >= waitingShare) return isForm && giveUp(own.findLast(({ task }) => !task.isForm));
    if (waitingCount < limits.waiting) return true;
    const [longest = []] = [...waiting.values()].toSorted((a, b) => b.length - a.length);
    if (longest.length > own.length + 1) return giveUp(longest.at(-1));
    return isForm && giveUp([...waiting.values()].flat().findLast(({ task }) => !task.isForm));
  }

  function giveUp(refused: WaitingTask | undefined): boolean {
    if (refused === undefined) return false;
    remove(refused);
    refused.task.refuse();
    return true;
  }

  return {
    enter(task) {
      if (!makeRoom(task)) {
        task.refuse();
        return () => undefined;
      }
      const entered: WaitingTask = { task, timer: setTimeout(() => giveUp(entered), limits.waitMs) };
      waiting.set(task.client, [...(waiting.get(task.client) ?? []), entered]);
      waitingCount += 1;
      plan();
      return () => remove(entered);
    },
  };
}

function afterTurns(turns: number, then: () => void): void {
  setImmediate(() => (turns > 1 ? afterTurns(turns - 1, then) : then()));
}
