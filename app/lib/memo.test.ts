import { expect, it, vi } from "vitest";
import { createMemo } from "./memo";

it("computes each result once, and forgets all of them when one more would not fit", () => {
  const remember = createMemo<number | null>(2);
  let computed = 0;
  const find = (key: string) => remember(key, () => (computed++, key === "none" ? null : computed));
  for (const key of ["a", "none", "a", "none"]) find(key);
  expect(computed).toBe(2);
  find("b");
  find("a");
  expect(computed).toBe(4);
});

it("forgets results at the given age", () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  const remember = createMemo<number>(5, 1_000);
  const find = (key: string, at: number) => {
    clock.mockReturnValue(at);
    return remember(key, () => at);
  };
  expect([find("a", 10), find("a", 1_009), find("b", 1_009), find("a", 1_010), find("a", 1_500)]).toEqual([
    10, 10, 1_009, 1_010, 1_010,
  ]);
  clock.mockRestore();
});
