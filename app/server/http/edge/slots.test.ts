import { describe, expect, it } from "vitest";
import { createSlots } from "./slots.server";

/** Creates slots with a clock that advances by one at each reading. */
function createTestSlots() {
  let time = 0;
  return createSlots<string>(() => ++time);
}

describe("slots", () => {
  it("are counted by client and by block", () => {
    const slots = createTestSlots();
    slots.acquire("a", "192.0.2.1");
    slots.acquire("b", "::ffff:192.0.2.1");
    slots.acquire("c", "192.0.2.2");
    slots.acquire("d", "2001:db8:77:1::1");
    slots.acquire("e", "2001:db8:77:1::2");
    slots.acquire("f", "2001:db8:77:2::1");
    expect(["192.0.2.1", "192.0.2.2", "2001:db8:77:1::9", "2001:db8:99::"].map(slots.countOfClient)).toEqual([
      1, 1, 2, 0,
    ]);
    expect(["192.0.2.9", "2001:db8:77:9::"].map(slots.countOfBlock)).toEqual([3, 3]);
    slots.release("e");
    slots.release("e");
    expect([slots.countOfClient("2001:db8:77:1::9"), slots.size, slots.has("e")]).toEqual([1, 5, false]);
  });

  it("are evicted from the largest client of the largest block", () => {
    const slots = createTestSlots();
    for (const holder of ["a", "b", "c"]) slots.acquire(holder, "192.0.2.1");
    for (const holder of ["d", "e"]) slots.acquire(holder, "2001:db8:77:1::");
    for (const holder of ["f", "g"]) slots.acquire(holder, "2001:db8:77:2::");
    expect(slots.findLeastActive()).toBe("d");
    expect(slots.findLeastActive({ client: "192.0.2.1" })).toBe("a");
    expect(slots.findLeastActive({ block: "2001:db8:77:3::" })).toBe("d");
    expect(slots.findLeastActive({ client: "192.0.2.9" })).toBeNull();
  });

  it("are evicted from the longest idle holder first, and from busy holders last", () => {
    const slots = createTestSlots();
    for (const holder of ["a", "b", "c"]) slots.acquire(holder, "192.0.2.1");
    slots.touch("a", false);
    slots.touch("b", true);
    expect(slots.findLeastActive()).toBe("c");
    slots.touch("c", false);
    expect(slots.findLeastActive()).toBe("a");
    for (const holder of ["a", "c"]) slots.touch(holder, true);
    expect(slots.findLeastActive()).toBe("b");
  });

  it("are empty at first", () => {
    expect(createTestSlots().findLeastActive()).toBeNull();
  });
});
