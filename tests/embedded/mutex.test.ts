import { describe, expect, it } from "vitest";
import { deferred } from "./support/deferred.ts";
import { Mutex } from "#supabase/embedded/session/mutex.ts";

describe("the mutex on the database session", () => {
  it("runs work one at a time, in order, also after a failure", async () => {
    const mutex = new Mutex();
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 1));
      seen.push(`${name} ends`);
      if (name === "b") throw new Error("b failed");
      return name;
    };
    const results = await Promise.allSettled(["a", "b", "c"].map((name) => mutex.run(work(name))));
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("rejects a caller who aborts in the queue immediately, and never runs its work", async () => {
    const mutex = new Mutex();
    const first = deferred();
    const holding = mutex.run(() => first.promise);
    const controller = new AbortController();
    let ran = false;
    const waiting = mutex.run(async () => void (ran = true), controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    first.resolve();
    await holding;
    await mutex.idle();
    expect(ran).toBe(false);
  });

  it("rejects a caller who aborts running work, but starts no other work before it ends", async () => {
    const mutex = new Mutex();
    const first = deferred();
    const controller = new AbortController();
    let finished = false;
    const running = mutex.run(async () => {
      await first.promise;
      finished = true;
    }, controller.signal);
    const next = mutex.run(async () => finished);
    await Promise.resolve();
    controller.abort();
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    expect(finished).toBe(false);
    first.resolve();
    expect(await next).toBe(true);
  });
});
