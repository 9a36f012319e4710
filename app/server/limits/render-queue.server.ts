/** One render for one visitor. */
export interface RenderTask {
  /** rate limit key of the client */
  readonly client: string;
  /** the client's IPv6 /48 or IPv4 /24, which holds at most half of the slots */
  readonly block: string;
  /**
   * true for an IPv6 /48, which is one customer: its clients share one turn. Those of an IPv4 /24 do so above a share.
   */
  readonly isOneCustomer: boolean;
  /** true for a posted form, which may evict a waiting page: a page can be reloaded without loss */
  readonly isForm: boolean;
  /** true for a post above its client's limit: its page, which returns the text, starts last and is evicted first */
  readonly isOverLimit?: boolean;
  /** @param done must be called once rendering is complete */
  start(done: () => void): void;
  /** called when no slot is free, or none becomes free in time */
  refuse(): void;
}

/** Capacity of a queue. */
export interface RenderQueueLimits {
  /** tasks that render at the same time */
  running: number;
  /** tasks that wait at the same time */
  waiting: number;
  waitMs: number;
}

/**
 * Capacity of a site. A render takes about 10 ms, so the last task of a full queue starts within its timeout
 * (`timeouts.renderQueue`).
 */
export const renderLimits = { running: 16, waiting: 100 };

/**
 * Event loop turns between two starts. Node accepts one new connection per turn. With a render in each turn, the
 * hundredth visitor of a rush would wait for a hundred renders to connect. An idle turn takes a few microseconds.
 */
const turnsBetweenStarts = 25;
/**
 * A flood of cheap requests makes turns long. After this time a form starts with the next turn; pages wait for all
 * turns.
 */
const maxMsBeforeForm = 20;

/** The properties of a task by which slots are shared. */
type TaskTraits = Omit<RenderTask, "start" | "refuse">;

interface WaitingTask {
  readonly task: RenderTask;
  readonly timer: NodeJS.Timeout;
}

/**
 * Creates a queue that limits concurrent rendering, so that the site keeps serving other requests
 * (docs/decisions/0031-render-queue.md): round robin over networks and then over their clients, alternating between forms and pages. No
 * network holds more than half of the slots; its further requests wait for its own. Rendering blocks the event loop, so
 * some turns of the loop pass before each start.
 */
export function createRenderQueue(limits: RenderQueueLimits) {
  const runningShare = Math.ceil(limits.running / 2);
  const waitingShare = Math.ceil(limits.waiting / 2);
  /** waiting tasks of an IPv4 /24 above which its clients share one turn */
  const blockShare = Math.ceil(limits.waiting / 4);
  /** in order of arrival */
  let waiting: WaitingTask[] = [];
  /** last turn by client and by block; the lowest is next */
  const turns = new Map<string, number>();
  const running = new Set<RenderTask>();
  const listWaiting = () => waiting.map(({ task }) => task);
  let lastTurn = 0;
  let isScheduled = false;
  let isFormsTurn = true;

  function scheduleStart(): void {
    if (isScheduled || running.size >= limits.running || findNext() === undefined) return;
    isScheduled = true;
    const begin = performance.now();
    const isFormLate = () => performance.now() - begin > maxMsBeforeForm && findNext()?.task.isForm === true;
    afterTurns(turnsBetweenStarts, isFormLate, () => {
      isScheduled = false;
      startNext();
      scheduleStart();
    });
  }

  /** Gives every other start to a form, if one waits: behind a hundred clients, its turn would come too late. */
  function findNext(): WaitingTask | undefined {
    const runningOf = countBy(running, ({ block }) => block);
    const all = waiting.filter(({ task }) => (runningOf.get(task.block) ?? 0) < runningShare);
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

  /** @returns a function that finds whether a task takes turns by its client or by its block */
  function groupByTurn(): (task: TaskTraits) => string {
    const sizes = countBy(listWaiting(), ({ block }) => block);
    return ({ client, block, isOneCustomer }) =>
      isOneCustomer || (sizes.get(block) ?? 0) > blockShare ? block : client;
  }

  function startNext(): void {
    const next = findNext();
    if (next === undefined) return;
    isFormsTurn = !isFormsTurn;
    const { task } = next;
    for (const key of [task.client, task.block]) turns.set(key, ++lastTurn);
    remove(next);
    running.add(task);
    task.start(() => {
      if (running.delete(task)) scheduleStart();
    });
  }

  function remove({ task, timer }: WaitingTask): void {
    clearTimeout(timer);
    waiting = waiting.filter((other) => other.task !== task);
    if (!waiting.some((other) => other.task.client === task.client)) turns.delete(task.client);
    if (!waiting.some((other) => other.task.block === task.block)) turns.delete(task.block);
  }

  /** @returns null if a slot is free, the task to evict if one can be, and otherwise undefined */
  function findRoom(task: TaskTraits): WaitingTask | null | undefined {
    const neighbors = waiting.filter((other) => other.task.block === task.block);
    if (neighbors.length >= waitingShare) return findEvictable(neighbors, task, ({ client }) => client);
    return waiting.length < limits.waiting ? null : findEvictable(waiting, task, groupByTurn());
  }

  /** Prefers a post above its limit, then the last task of the largest waiting group. A form evicts any page. */
  function findEvictable(
    entries: readonly WaitingTask[],
    task: TaskTraits,
    groupOf: (task: TaskTraits) => string,
  ): WaitingTask | undefined {
    const overLimit = task.isOverLimit ? undefined : entries.findLast((other) => other.task.isOverLimit);
    if (overLimit !== undefined) return overLimit;
    const sizes = countBy(listWaiting(), groupOf);
    const sizeOf = (other: TaskTraits) => sizes.get(groupOf(other)) ?? 0;
    const most = Math.max(...sizes.values());
    const largest = entries.find((other) => sizeOf(other.task) === most);
    if (largest !== undefined && most > sizeOf(task) + 1)
      return entries.findLast((other) => groupOf(other.task) === groupOf(largest.task));
    return task.isForm ? entries.findLast((other) => !other.task.isForm) : undefined;
  }

  function refuseWaiting(refused: WaitingTask): void {
    remove(refused);
    refused.task.refuse();
  }

  return {
    /** Returns true if a slot is free for a client's task, or another task would be evicted for it. */
    hasRoom: (task: TaskTraits): boolean => findRoom(task) !== undefined,
    /** @returns a function that cancels the task if it has not started, for when its client disconnects */
    enter(task: RenderTask): () => void {
      const evicted = findRoom(task);
      if (evicted === undefined) {
        task.refuse();
        return () => undefined;
      }
      if (evicted !== null) refuseWaiting(evicted);
      const entered: WaitingTask = { task, timer: setTimeout(() => refuseWaiting(entered), limits.waitMs) };
      waiting.push(entered);
      for (const key of [task.client, task.block]) if (!turns.has(key)) turns.set(key, ++lastTurn);
      scheduleStart();
      return () => remove(entered);
    },
  };
}

function countBy(tasks: Iterable<TaskTraits>, keyOf: (task: TaskTraits) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const task of tasks) counts.set(keyOf(task), (counts.get(keyOf(task)) ?? 0) + 1);
  return counts;
}

function afterTurns(turns: number, isLate: () => boolean, then: () => void): void {
  setImmediate(() => (turns <= 1 || isLate() ? then() : afterTurns(turns - 1, isLate, then)));
}
