/** Something that has to be rendered for one visitor. */
export interface RenderTask {
  /** rate limit key of the client */
  readonly client: string;
  /** the client's IPv6 /48 or IPv4 /24, which holds at most half of the places */
  readonly block: string;
  /** true for an IPv6 /48, which is one customer: its clients take turns as one. Those of an IPv4 /24 do so above a share. */
  readonly isOneCustomer: boolean;
  /** a posted form, which may displace a waiting page: a page can be reloaded without loss */
  readonly isForm: boolean;
  /** true for a post above its client's limit: its page with the text kept comes behind everything else, and gives way to it */
  readonly isOverLimit?: boolean;
  /** @param done must be called once nothing is left to be computed for it */
  start(done: () => void): void;
  /** there was no place, or none came free in time */
  refuse(): void;
}

/** Bounds how much is rendered at once, so that everybody else is answered meanwhile (docs/decisions/server/0031-render-queue.md). */
export interface RenderQueue {
  /** Tells if there is a place for a client's task, or one that it would be given. */
  hasRoom(task: Groups): boolean;
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
/** A flood of cheap requests makes turns long. After this time a form starts with the next turn; pages wait for all turns. */
const maxMsBeforeForm = 20;

/** A task as far as it shares places with others. */
type Groups = Omit<RenderTask, "start" | "refuse">;

interface WaitingTask {
  readonly task: RenderTask;
  readonly timer: NodeJS.Timeout;
}

/**
 * Round robin over networks and then over their clients, alternating between forms and pages. No network has more than half of
 * the places; its further requests wait behind its own. Rendering blocks the event loop, so some turns of the loop pass before
 * each start.
 */
export function createRenderQueue(limits: RenderQueueLimits): RenderQueue {
  const runningShare = Math.ceil(limits.running / 2);
  const waitingShare = Math.ceil(limits.waiting / 2);
  /** so many of an IPv4 /24 wait before its clients take turns as one */
  const blockShare = Math.ceil(limits.waiting / 4);
  /** in the order of arrival */
  let waiting: WaitingTask[] = [];
  /** by client and by block; the lowest is next */
  const turns = new Map<string, number>();
  const running = new Map<string, number>();
  let lastTurn = 0;
  let runningCount = 0;
  let isPlanned = false;
  let isFormsTurn = true;

  function plan(): void {
    if (isPlanned || runningCount >= limits.running || findNext() === undefined) return;
    isPlanned = true;
    const begin = performance.now();
    const isFormLate = () => performance.now() - begin > maxMsBeforeForm && findNext()?.task.isForm === true;
    afterTurns(turnsBetweenStarts, isFormLate, () => {
      isPlanned = false;
      startNext();
      plan();
    });
  }

  /** Every other start is a form's, if any waits: behind a hundred clients its turn would come too late. */
  function findNext(): WaitingTask | undefined {
    const all = waiting.filter(({ task }) => (running.get(task.block) ?? 0) < runningShare);
    const withinLimits = all.filter(({ task }) => !task.isOverLimit);
    const ready = withinLimits.length > 0 ? withinLimits : all;
    const groupOf = groupByTurn();
    const first = (entries: readonly WaitingTask[]) =>
      entries.toSorted(
        ({ task: a }, { task: b }) => turnOf(groupOf(a)) - turnOf(groupOf(b)) || turnOf(a.client) - turnOf(b.client),
      )[0];
    const form = isFormsTurn ? first(ready.filter(({ task }) => task.isForm)) : undefined;
    return form ?? first(ready);
  }

  function turnOf(key: string): number {
    return turns.get(key) ?? 0;
  }

  /** @returns the client or the block that a task takes turns as */
  function groupByTurn(): (task: Groups) => string {
    const sizes = countBy(({ block }) => block);
    return ({ client, block, isOneCustomer }) =>
      isOneCustomer || (sizes.get(block) ?? 0) > blockShare ? block : client;
  }

  function countBy(keyOf: (task: Groups) => string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { task } of waiting) counts.set(keyOf(task), (counts.get(keyOf(task)) ?? 0) + 1);
    return counts;
  }

  function startNext(): void {
    const next = findNext();
    if (next === undefined) return;
    isFormsTurn = !isFormsTurn;
    const { client, block } = next.task;
    for (const key of [client, block]) turns.set(key, ++lastTurn);
    remove(next);
    runningCount += 1;
    running.set(block, (running.get(block) ?? 0) + 1);
    let isDone = false;
    next.task.start(() => {
      if (isDone) return;
      isDone = true;
      runningCount -= 1;
      const left = (running.get(block) ?? 1) - 1;
      if (left === 0) running.delete(block);
      else running.set(block, left);
      plan();
    });
  }

  function remove({ task, timer }: WaitingTask): void {
    clearTimeout(timer);
    waiting = waiting.filter((other) => other.task !== task);
    if (!waiting.some((other) => other.task.client === task.client)) turns.delete(task.client);
    if (!waiting.some((other) => other.task.block === task.block)) turns.delete(task.block);
  }

  /** @returns the task that has to make room for one more, null if none does, and undefined if there is no room */
  function findRoom(task: Groups): WaitingTask | null | undefined {
    const neighbors = waiting.filter((other) => other.task.block === task.block);
    if (neighbors.length >= waitingShare) return findDisplaced(neighbors, task, ({ client }) => client);
    return waiting.length < limits.waiting ? null : findDisplaced(waiting, task, groupByTurn());
  }

  /** A post above its limit goes first, then the last task of the group that waits for most; a form displaces any page. */
  function findDisplaced(
    entries: readonly WaitingTask[],
    task: Groups,
    groupOf: (task: Groups) => string,
  ): WaitingTask | undefined {
    const overLimit = task.isOverLimit ? undefined : entries.findLast((other) => other.task.isOverLimit);
    if (overLimit !== undefined) return overLimit;
    const sizes = countBy(groupOf);
    const sizeOf = (other: Groups) => sizes.get(groupOf(other)) ?? 0;
    const most = Math.max(...sizes.values());
    const largest = entries.find((other) => sizeOf(other.task) === most);
    if (largest !== undefined && most > sizeOf(task) + 1)
      return entries.findLast((other) => groupOf(other.task) === groupOf(largest.task));
    return task.isForm ? entries.findLast((other) => !other.task.isForm) : undefined;
  }

  function giveUp(refused: WaitingTask): void {
    remove(refused);
    refused.task.refuse();
  }

  return {
    hasRoom: (task) => findRoom(task) !== undefined,
    enter(task) {
      const displaced = findRoom(task);
      if (displaced === undefined) {
        task.refuse();
        return () => undefined;
      }
      if (displaced !== null) giveUp(displaced);
      const entered: WaitingTask = { task, timer: setTimeout(() => giveUp(entered), limits.waitMs) };
      waiting.push(entered);
      for (const key of [task.client, task.block]) if (!turns.has(key)) turns.set(key, ++lastTurn);
      plan();
      return () => remove(entered);
    },
  };
}

function afterTurns(turns: number, isLate: () => boolean, then: () => void): void {
  setImmediate(() => (turns <= 1 || isLate() ? then() : afterTurns(turns - 1, isLate, then)));
}
