import { expect, it } from "vitest";
import { createTurns } from "./sign-in-turns.server";

const rules = { atOnce: 1, waiting: 3, waitingOfClient: 2, waitMs: 30_000 };

/** Enters a line and notes when it has its turn. */
function startLine(own = rules) {
  const turns = createTurns(own);
  const events: string[] = [];
  const leaves = new Map<string, () => void>();
  const enter = async (name: string, line = "account") => {
    const client = name.slice(0, 1);
    const leave = await turns.enter(line, client, () => events.push(`${name} waits`));
    events.push(leave ? `${name} goes` : `${name} refused`);
    if (leave) leaves.set(name, leave);
  };
  const leave = (name: string) => leaves.get(name)?.();
  return { enter, leave, events };
}

/** Lets everything happen that waits for nothing else. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

it("lets a client go at once while a place is free, and each line by itself", async () => {
  const { enter, events } = startLine();
  await enter("a1");
  await enter("a2", "another account");
  expect(events).toEqual(["a1 goes", "a2 goes"]);
});

it("puts who has had fewer turns before a crowd that came earlier", async () => {
  const { enter, leave, events } = startLine();
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

it("refuses a client's third that waits, and the last in turn where all places to wait are taken", async () => {
  const { enter, leave, events } = startLine();
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

it("refuses who has no turn in time, and gives the place to the next all the same", async () => {
  const { enter, leave, events } = startLine({ ...rules, waitMs: 10 });
  await enter("a1");
  await enter("b1");
  expect(events).toEqual(["a1 goes", "b1 waits", "b1 refused"]);
  leave("a1");
  await enter("c1");
  expect(events.at(-1)).toBe("c1 goes");
});
