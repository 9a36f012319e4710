import { expect, it, vi } from "vitest";
import { createMemo } from "./memo";

it("computes a result once, until one more does not fit or all have reached their age", () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  const remember = createMemo<number | null>(2, 1_000);
  const computed: string[] = [];
  const find = (key: string) => remember(key, () => (computed.push(key), null));
  for (const key of ["a", "b", "a", "b", "c", "a"]) find(key);
  clock.mockReturnValue(1_000);
  for (const key of ["a", "a"]) find(key);
  clock.mockRestore();
  expect(computed.join("")).toBe("abcaa");
});
