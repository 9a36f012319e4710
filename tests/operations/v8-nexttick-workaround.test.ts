import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

it("keeps the shape of Node's ticks through collections of garbage", () => {
  // `%HaveSameMap` and `gc` are V8's own; the tick that is kept must look like the one that is made after all of them.
  const program = `
    import { executionAsyncResource } from "node:async_hooks";
    import { setTimeout as wait } from "node:timers/promises";
    import { keepTickObject } from "./bin/v8-nexttick-workaround.mjs";
    const nextTick = () => new Promise((resolve) => process.nextTick(() => resolve(executionAsyncResource())));
    keepTickObject();
    for (let round = 0; round < 4; round++) { await wait(20); gc(); }
    const [kept] = Object.getOwnPropertySymbols(process).filter(({ description }) => description === "kept TickObject");
    console.log(%HaveSameMap(process[kept], await nextTick()));`;
  const flags = ["--allow-natives-syntax", "--expose-gc", "--input-type=module", "--eval", program];
  expect(execFileSync(process.execPath, flags, { encoding: "utf8" })).toBe("true\n");
});
