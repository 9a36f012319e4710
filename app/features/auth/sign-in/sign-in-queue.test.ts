import { setImmediate as settle } from "node:timers/promises";
import { expect, it } from "vitest";
import { createSignInQueues } from "./sign-in-queue.server";

const limits = { slots: 1, waiting: 3, waitingPerClient: 2, waitMs: 30_000 };

/** Enters queues by names such as "a1" (first attempt of client "a") and records the events. */
function startQueues(own = limits) {
  const queues = createSignInQueues(own);
  const events: string[] = [];
  const releases = new Map<string, () => void>();
  const enter = async (name: string, queue = "account") => {
    const client = name.slice(0, 1);
    const release = await queues.acquire(queue, client, () => events.push(`${name} waits`));
    events.push(release ? `${name} goes` : `${name} refused`);
    if (release) releases.set(name, release);
  };
  const leave = (name: string) => releases.get(name)?.();
  return { enter, leave, events };
}

it("runs an attempt immediately while its queue has a free slot", async () => {
  const { enter, events } = startQueues();
  await enter("a1");
  await enter("a2", "another account");
  expect(events).toEqual(["a1 goes", "a2 goes"]);
});

it("serves clients with fewer past slots before a crowd that arrived earlier", async () => {
  const { enter, leave, events } = startQueues();
  await enter("a1");
  const [second, third, owner] = [enter("a2"), enter("b1"), enter("c1")];
  await settle();
  leave("a1");
  await third;
  leave("b1");
  await owner;
  leave("c1");
  await second;
  expect(events).toEqual(["a1 goes", "a2 waits", "b1 waits", "c1 waits", "b1 goes", "c1 goes", "a2 goes"]);
});

it("refuses a client's third waiting attempt, and the lowest-ranked attempt when the queue is full", async () => {
  const { enter, leave, events } = startQueues();
  await enter("a1");
  const waiting = [enter("a2"), enter("a3")];
  await settle();
  await enter("a4");
  const others = [enter("b1"), enter("c1")];
  await settle();
  expect(events.slice(-4)).toEqual(["a4 refused", "b1 waits", "c1 waits", "a2 refused"]);
  leave("a1");
  await others[0];
  leave("b1");
  await others[1];
  leave("c1");
  await Promise.all([...waiting, ...others]);
  expect(events.at(-1)).toBe("a3 goes");
});

it("refuses an attempt that times out, and still gives the slot to the next one", async () => {
  const { enter, leave, events } = startQueues({ ...limits, waitMs: 10 });
  await enter("a1");
  await enter("b1");
  expect(events).toEqual(["a1 goes", "b1 waits", "b1 refused"]);
  leave("a1");
  await enter("c1");
  expect(events.at(-1)).toBe("c1 goes");
});
