import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { type RenderTask, createRenderQueue } from "~/server/limits/render-queue.server";

/** Names of tasks in the order in which they enter; a name without its digit is its client. */
type Tasks = [names: string, options?: Partial<RenderTask>][];

const form = { isForm: true };
const ofBlock = { block: "block" };
const ofCustomer = { block: "customer", isOneCustomer: true, isForm: true };

/** Creates a queue that records the names of started and refused tasks. */
function createTestQueue(limits: { running?: number; waiting?: number; waitMs?: number } = {}) {
  const queue = createRenderQueue({ running: 2, waiting: 6, waitMs: 60_000, ...limits });
  const started: string[] = [];
  const refused: string[] = [];
  const running = new Map<string, () => void>();
  const enter = (name: string, { client = name.replace(/\d+$/, ""), ...options }: Partial<RenderTask> = {}) =>
    queue.enter({
      client,
      block: client,
      isOneCustomer: false,
      isForm: false,
      start: (done) => {
        started.push(name);
        running.set(name, done);
      },
      refuse: () => refused.push(name),
      ...options,
    });
  const enterAll = (tasks: Tasks) => {
    for (const [names, options] of tasks) for (const name of names.split(" ")) enter(name, options);
  };
  const finish = (name: string) => running.get(name)?.();
  return { enter, enterAll, finish, started, refused };
}

async function waitTurns(count = 200): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

it("starts as many tasks as allowed, and the next when one is done", async () => {
  const { enter, finish, started } = createTestQueue();
  for (const name of ["a", "b", "c"]) enter(name);
  await waitTurns();
  expect(started).toEqual(["a", "b"]);
  finish("a");
  finish("a");
  await waitTurns();
  expect(started).toEqual(["a", "b", "c"]);
});

it("lets the event loop turn between two starts, so that other requests are served", async () => {
  const { enter, started } = createTestQueue({ running: 10 });
  for (const name of ["a", "b", "c"]) enter(name);
  const startTurns: number[] = [];
  for (let turn = 0; startTurns.length < 3; turn++) {
    if (started.length > startTurns.length) startTurns.push(turn);
    expect(started.length).toBe(startTurns.length);
    await nextTurn();
  }
  expect((startTurns[1] ?? 0) - (startTurns[0] ?? 0)).toBeGreaterThan(10);
});

it("alternates between clients, and gives each at most half of the slots", async () => {
  const { enter, finish, started } = createTestQueue();
  for (const name of ["a1", "a2", "a3", "b1"]) enter(name);
  await waitTurns();
  expect(started).toEqual(["a1", "b1"]);
  finish("b1");
  await waitTurns();
  expect(started).toEqual(["a1", "b1"]);
  finish("a1");
  await waitTurns();
  expect(started).toEqual(["a1", "b1", "a2"]);
});

it("forgets the turns of a customer once nothing of theirs waits", async () => {
  const { enter, finish, started } = createTestQueue({ running: 1 });
  const customer = { block: "customer", isOneCustomer: true };
  enter("x1", customer);
  await waitTurns();
  finish("x1");
  enter("z");
  await waitTurns();
  enter("y");
  enter("x2", customer);
  finish("z");
  await waitTurns();
  expect(started).toEqual(["x1", "z", "y"]);
});

// The share of a block is five of twenty slots. While more of its tasks wait, its clients share one turn.
it.each<[string, Tasks, string]>([
  ["a form before other clients' pages at every other start", [["a b c"], ["x y", form]], "x a y b c"],
  [
    "the clients of one customer in a shared turn",
    [
      ["a b c d", ofCustomer],
      ["x y", form],
    ],
    "a x y b c d",
  ],
  ["the clients of a block in a shared turn above its share", [["a b c d e f g", ofBlock], ["x"]], "a x b c d e f g"],
  ["the clients of a block in their own turns within its share", [["a b c", ofBlock], ["x"]], "a b c x"],
  [
    "posts above their limit last",
    [["x y", { ...form, isOverLimit: true }], ["page"], ["form", form]],
    "form page x y",
  ],
])("starts %s", async (_case, tasks, order) => {
  const { enterAll, finish, started } = createTestQueue({ running: 1, waiting: 20 });
  enterAll(tasks);
  for (let starts = order.split(" ").length; starts > 0; starts--) {
    await waitTurns();
    finish(started.at(-1) ?? "");
  }
  expect(started.join(" ")).toBe(order);
});

it.each<[string, number, Tasks, string]>([
  ["a client that holds half of the waiting slots", 6, [["a1 a2 a3 a4"]], "a4"],
  ["a task of the largest client for a newcomer", 6, [["a1 a2 a3 b1 b2 b3 c1 d1 e1 f1 g1"]], "a3 b3 a2 b2 g1"],
  ["a page for a form, and never another form", 2, [["a"], ["b c d", form]], "a d"],
  ["a task of a block's largest client above half of the slots", 6, [["a1 a2 b1 c1 d1", ofBlock], ["x y z"]], "a2 d1"],
  [
    "even a form of the largest customer for a newcomer",
    6,
    [
      ["a b c", ofCustomer],
      ["x y z newcomer", form],
    ],
    "c",
  ],
  ["posts above their limit first", 3, [["x y z", { ...form, isOverLimit: true }], ["page"], ["form", form]], "z y"],
])("refuses %s", (_case, waiting, tasks, expected) => {
  const { enterAll, refused } = createTestQueue({ waiting });
  enterAll(tasks);
  expect(refused.join(" ")).toBe(expected);
});

it("refuses a task that has waited for too long", async () => {
  const { enter, refused, started } = createTestQueue({ running: 1, waitMs: 500 });
  enter("a");
  enter("b");
  await expect.poll(() => refused).toEqual(["b"]);
  expect(started).toEqual(["a"]);
});

it("drops a waiting task when its client disconnects", async () => {
  const { enter, finish, started, refused } = createTestQueue({ running: 1 });
  enter("a");
  const leave = enter("b");
  enter("c");
  await waitTurns();
  leave();
  leave();
  finish("a");
  await waitTurns();
  expect({ started, refused }).toEqual({ started: ["a", "c"], refused: [] });
});
