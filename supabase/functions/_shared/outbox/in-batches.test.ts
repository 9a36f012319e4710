import { expect, it } from "vitest";
import { inBatches } from "./in-batches.ts";

it("puts items added during a batch into the next one, and isolates a failed batch", async () => {
  const batches: string[][] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const add = inBatches<string>((items) => {
    batches.push(items);
    return new Promise((resolve, reject) => ends.push((failure) => (failure ? reject(failure) : resolve())));
  });
  const first = add("one");
  await expect.poll(() => batches).toEqual([["one"]]);
  const others = [add("two"), add("three")];
  expect(batches).toEqual([["one"]]);
  ends[0]?.(new Error("refused"));
  await expect(first).rejects.toThrow("refused");
  await expect.poll(() => batches).toEqual([["one"], ["two", "three"]]);
  ends[1]?.();
  await Promise.all(others);
});
