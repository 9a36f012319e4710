import { describe, expect, it } from "vitest";
import { createPlaces } from "./places.server";

/** Places with a clock that goes on by one with each step. */
function openPlaces() {
  let time = 0;
  return createPlaces<string>(() => ++time);
}

describe("places", () => {
  it("are counted by client and by block", () => {
    const places = openPlaces();
    places.take("a", "192.0.2.1");
    places.take("b", "::ffff:192.0.2.1");
    places.take("c", "192.0.2.2");
    places.take("d", "2001:db8:77:1::1");
    places.take("e", "2001:db8:77:1::2");
    places.take("f", "2001:db8:77:2::1");
    expect(["192.0.2.1", "192.0.2.2", "2001:db8:77:1::9", "2001:db8:99::"].map(places.countOfClient)).toEqual([
      1, 1, 2, 0,
    ]);
    expect(["192.0.2.9", "2001:db8:77:9::"].map(places.countOfBlock)).toEqual([3, 3]);
    places.free("e");
    places.free("e");
    expect([places.countOfClient("2001:db8:77:1::9"), places.size, places.has("e")]).toEqual([1, 5, false]);
  });

  it("are given up by the client that has most, in the block that has most", () => {
    const places = openPlaces();
    for (const holder of ["a", "b", "c"]) places.take(holder, "192.0.2.1");
    for (const holder of ["d", "e"]) places.take(holder, "2001:db8:77:1::");
    for (const holder of ["f", "g"]) places.take(holder, "2001:db8:77:2::");
    expect(places.findLeastActive()).toBe("d");
    expect(places.findLeastActive({ client: "192.0.2.1" })).toBe("a");
    expect(places.findLeastActive({ block: "2001:db8:77:3::" })).toBe("d");
    expect(places.findLeastActive({ client: "192.0.2.9" })).toBeNull();
  });

  it("are given up by the holder that has been idle longest, and by busy ones last", () => {
    const places = openPlaces();
    for (const holder of ["a", "b", "c"]) places.take(holder, "192.0.2.1");
    places.touch("a", false);
    places.touch("b", true);
    expect(places.findLeastActive()).toBe("c");
    places.touch("c", false);
    expect(places.findLeastActive()).toBe("a");
    for (const holder of ["a", "c"]) places.touch(holder, true);
    expect(places.findLeastActive()).toBe("b");
  });

  it("are none at first", () => {
    expect(openPlaces().findLeastActive()).toBeNull();
  });
});
