import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type RenderTask, createRenderQueue } from "~/server/limits/render-queue.server";

/** A queue with a record of what became of its tasks, by name. */
function openQueue(limits: { running?: number; waiting?: number; waitMs?: number } = {}) {
  const queue = createRenderQueue({ running: 2, waiting: 6, waitMs: 60_000, ...limits });
  const started: string[] = [];
  const refused: string[] = [];
  const under = new Map<string, () => void>();
  const enter = (name: string, { client = name.replace(/\d+$/, ""), ...options }: Partial<RenderTask> = {}) =>
    queue.enter({
      client,
      block: client,
      isOneCustomer: false,
      isForm: false,
      start: (done) => {
        started.push(name);
        under.set(name, done);
      },
      refuse: () => refused.push(name),
      ...options,
    });
  const finish = (name: string) => under.get(name)?.();
  return { enter, finish, started, refused };
}

async function turns(count = 200): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

async function startAll(started: string[], finish: (name: string) => void, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await turns();
    finish(started.at(-1) ?? "");
  }
}

describe("the render queue", () => {
  it("starts no more at once than it may, and the next one when one is done", async () => {
    const { enter, finish, started } = openQueue();
    for (const name of ["a", "b", "c"]) enter(name);
    await turns();
    expect(started).toEqual(["a", "b"]);
    finish("a");
    finish("a");
    await turns();
    expect(started).toEqual(["a", "b", "c"]);
  });

  it("lets the event loop turn between two starts, so that others come in and are answered", async () => {
    const { enter, started } = openQueue({ running: 10 });
    for (const name of ["a", "b", "c"]) enter(name);
    const begun: number[] = [];
    for (let turn = 0; begun.length < 3; turn++) {
      if (started.length > begun.length) begun.push(turn);
      expect(started.length).toBe(begun.length);
      await nextTurn();
    }
    expect((begun[1] ?? 0) - (begun[0] ?? 0)).toBeGreaterThan(10);
  });

  it("lets clients take turns, and gives none more than half of the places", async () => {
    const { enter, finish, started } = openQueue();
    for (const name of ["a1", "a2", "a3", "b1"]) enter(name);
    await turns();
    expect(started).toEqual(["a1", "b1"]);
    finish("b1");
    await turns();
    expect(started).toEqual(["a1", "b1"]);
    finish("a1");
    await turns();
    expect(started).toEqual(["a1", "b1", "a2"]);
  });

  it("starts a form before other clients' pages, every other time", async () => {
    const { enter, finish, started } = openQueue({ running: 1, waiting: 20 });
    for (const name of ["a", "b", "c"]) enter(name);
    for (const name of ["x", "y"]) enter(name, { isForm: true });
    for (let turn = 0; turn < 5; turn++) {
      await turns();
      finish(started.at(-1) ?? "");
    }
    expect(started).toEqual(["x", "a", "y", "b", "c"]);
  });

  it("refuses whoever already has half of the waiting places", () => {
    const { enter, refused } = openQueue();
    for (const name of ["a1", "a2", "a3", "a4"]) enter(name);
    expect(refused).toEqual(["a4"]);
  });

  it("makes room for a newcomer at the cost of whoever waits for most", () => {
    const { enter, refused } = openQueue();
    for (const name of ["a1", "a2", "a3", "b1", "b2", "b3", "c1"]) enter(name);
    expect(refused).toEqual(["a3"]);
    for (const name of ["d1", "e1", "f1", "g1"]) enter(name);
    expect(refused).toEqual(["a3", "b3", "a2", "b2", "g1"]);
  });

  it("lets a form take the place of a page, and never of another form", () => {
    const { enter, refused } = openQueue({ waiting: 2 });
    enter("a");
    enter("b", { isForm: true });
    enter("c", { isForm: true });
    expect(refused).toEqual(["a"]);
    enter("d", { isForm: true });
    expect(refused).toEqual(["a", "d"]);
  });

  it("lets the clients of one customer take turns as one", async () => {
    const { enter, finish, started } = openQueue({ running: 1, waiting: 20 });
    const ofCustomer = { block: "customer", isOneCustomer: true };
    for (const name of ["a", "b", "c", "d"]) enter(name, { ...ofCustomer, isForm: true });
    for (const name of ["x", "y"]) enter(name, { isForm: true });
    await startAll(started, finish, 6);
    expect(started).toEqual(["a", "x", "y", "b", "c", "d"]);
  });

  it("lets the clients of a block take turns as one above a share of the places", async () => {
    const { enter, finish, started } = openQueue({ running: 1, waiting: 20 });
    for (const name of ["a", "b", "c", "d", "e", "f", "g"]) enter(name, { block: "block" });
    enter("x");
    await startAll(started, finish, 8);
    // Five of twenty places are the share: as long as more of the block wait, it is behind.
    expect(started).toEqual(["a", "x", "b", "c", "d", "e", "f", "g"]);
    const few = openQueue({ running: 1, waiting: 20 });
    for (const name of ["a", "b", "c"]) few.enter(name, { block: "block" });
    few.enter("x");
    await startAll(few.started, few.finish, 4);
    expect(few.started).toEqual(["a", "b", "c", "x"]);
  });

  it("gives a block half of the places at most, and takes from the client that has most of them", () => {
    const { enter, refused } = openQueue();
    for (const name of ["a1", "a2", "b1"]) enter(name, { client: name.charAt(0), block: "block" });
    enter("c1", { client: "c", block: "block" });
    expect(refused).toEqual(["a2"]);
    enter("d1", { client: "d", block: "block" });
    expect(refused).toEqual(["a2", "d1"]);
    for (const name of ["x", "y", "z"]) enter(name);
    expect(refused).toEqual(["a2", "d1"]);
  });

  it("makes room for a newcomer at the cost of the customer that waits for most, forms too", () => {
    const { enter, refused } = openQueue();
    const ofCustomer = { block: "customer", isOneCustomer: true, isForm: true };
    for (const name of ["a", "b", "c"]) enter(name, ofCustomer);
    for (const name of ["x", "y", "z"]) enter(name, { isForm: true });
    enter("newcomer", { isForm: true });
    expect(refused).toEqual(["c"]);
  });

  it("leaves posts above their limit for last, and lets them give way to all others", async () => {
    const { enter, finish, started, refused } = openQueue({ running: 1, waiting: 3 });
    for (const name of ["x", "y", "z"]) enter(name, { isForm: true, isOverLimit: true });
    enter("page");
    enter("form", { isForm: true });
    expect(refused).toEqual(["z", "y"]);
    await startAll(started, finish, 3);
    expect(started).toEqual(["form", "page", "x"]);
  });

  it("refuses what has waited for too long", async () => {
    const { enter, refused, started } = openQueue({ running: 1, waitMs: 500 });
    enter("a");
    enter("b");
    await expect.poll(() => refused, { timeout: 10_000 }).toEqual(["b"]);
    expect(started).toEqual(["a"]);
  });

  it("forgets whoever has gone", async () => {
    const { enter, finish, started, refused } = openQueue({ running: 1 });
    enter("a");
    const leave = enter("b");
    enter("c");
    await turns();
    leave();
    leave();
    finish("a");
    await turns();
    expect({ started, refused }).toEqual({ started: ["a", "c"], refused: [] });
  });
});
