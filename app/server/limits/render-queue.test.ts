import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type RenderTask, createRenderQueue } from "~/server/limits/render-queue.server";

/** A queue with a record of what became of its tasks, by name. */
function openQueue(limits: { running?: number; waiting?: number; waitMs?: number } = {}) {
  const queue = createRenderQueue({ running: 2, waiting: 6, waitMs: 60_000, ...limits });
  const started: string[] = [];
  const refused: string[] = [];
  const under = new Map<string, () => void>();
  const enter = (name: string, options: Partial<RenderTask> = {}) =>
    queue.enter({
      client: name.replace(/\d+$/, ""),
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
