import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { type RenderTask, createRenderQueue } from "~/server/limits/render-queue.server";

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
  const finish = (name: string) => running.get(name)?.();
  return { enter, finish, started, refused };
}

async function waitTurns(count = 200): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

async function startAll(started: string[], finish: (name: string) => void, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await waitTurns();
    finish(started.at(-1) ?? "");
  }
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

it("starts a form before other clients' pages at every other start", async () => {
  const { enter, finish, started } = createTestQueue({ running: 1, waiting: 20 });
  for (const name of ["a", "b", "c"]) enter(name);
  for (const name of ["x", "y"]) enter(name, { isForm: true });
  await startAll(started, finish, 5);
  expect(started).toEqual(["x", "a", "y", "b", "c"]);
});

it("refuses a client that holds half of the waiting slots", () => {
  const { enter, refused } = createTestQueue();
  for (const name of ["a1", "a2", "a3", "a4"]) enter(name);
  expect(refused).toEqual(["a4"]);
});

it("evicts a task of the client with the most tasks for a newcomer", () => {
  const { enter, refused } = createTestQueue();
  for (const name of ["a1", "a2", "a3", "b1", "b2", "b3", "c1"]) enter(name);
  expect(refused).toEqual(["a3"]);
  for (const name of ["d1", "e1", "f1", "g1"]) enter(name);
  expect(refused).toEqual(["a3", "b3", "a2", "b2", "g1"]);
});

it("evicts a page for a form, and never another form", () => {
  const { enter, refused } = createTestQueue({ waiting: 2 });
  enter("a");
  enter("b", { isForm: true });
  enter("c", { isForm: true });
  expect(refused).toEqual(["a"]);
  enter("d", { isForm: true });
  expect(refused).toEqual(["a", "d"]);
});

it("gives the clients of one customer a shared turn", async () => {
  const { enter, finish, started } = createTestQueue({ running: 1, waiting: 20 });
  const ofCustomer = { block: "customer", isOneCustomer: true };
  for (const name of ["a", "b", "c", "d"]) enter(name, { ...ofCustomer, isForm: true });
  for (const name of ["x", "y"]) enter(name, { isForm: true });
  await startAll(started, finish, 6);
  expect(started).toEqual(["a", "x", "y", "b", "c", "d"]);
});

it("gives the clients of a block a shared turn above a share of the slots", async () => {
  const { enter, finish, started } = createTestQueue({ running: 1, waiting: 20 });
  for (const name of ["a", "b", "c", "d", "e", "f", "g"]) enter(name, { block: "block" });
  enter("x");
  await startAll(started, finish, 8);
  // The share is five of twenty slots. While more tasks of the block wait, its clients share one turn.
  expect(started).toEqual(["a", "x", "b", "c", "d", "e", "f", "g"]);
  const few = createTestQueue({ running: 1, waiting: 20 });
  for (const name of ["a", "b", "c"]) few.enter(name, { block: "block" });
  few.enter("x");
  await startAll(few.started, few.finish, 4);
  expect(few.started).toEqual(["a", "b", "c", "x"]);
});

it("gives a block at most half of the slots, and evicts from its largest client", () => {
  const { enter, refused } = createTestQueue();
  for (const name of ["a1", "a2", "b1"]) enter(name, { client: name.charAt(0), block: "block" });
  enter("c1", { client: "c", block: "block" });
  expect(refused).toEqual(["a2"]);
  enter("d1", { client: "d", block: "block" });
  expect(refused).toEqual(["a2", "d1"]);
  for (const name of ["x", "y", "z"]) enter(name);
  expect(refused).toEqual(["a2", "d1"]);
});

it("evicts even a form of the customer with the most tasks for a newcomer", () => {
  const { enter, refused } = createTestQueue();
  const ofCustomer = { block: "customer", isOneCustomer: true, isForm: true };
  for (const name of ["a", "b", "c"]) enter(name, ofCustomer);
  for (const name of ["x", "y", "z"]) enter(name, { isForm: true });
  enter("newcomer", { isForm: true });
  expect(refused).toEqual(["c"]);
});

it("starts posts above their limit last, and evicts them first", async () => {
  const { enter, finish, started, refused } = createTestQueue({ running: 1, waiting: 3 });
  for (const name of ["x", "y", "z"]) enter(name, { isForm: true, isOverLimit: true });
  enter("page");
  enter("form", { isForm: true });
  expect(refused).toEqual(["z", "y"]);
  await startAll(started, finish, 3);
  expect(started).toEqual(["form", "page", "x"]);
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
