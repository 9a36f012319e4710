import { describe, expect, it } from "vitest";
import { isAffected } from "./advisory.mjs";

describe("a range of versions", () => {
  const events = [
    { introduced: "1.0.0" },
    { fixed: "1.2.4" },
    { introduced: "2.0.0-beta.2" },
    { last_affected: "2.1.0" },
  ];
  it.each([
    ["0.9.9", false],
    ["1.0.0-rc.1", false],
    ["1.0.0", true],
    ["1.2.4-rc.1", true],
    ["1.2.4", false],
    ["2.0.0-beta.1", false],
    ["2.0.0-beta.10", true],
    ["2.1.0", true],
    ["2.1.1", false],
  ])("of %s says %s", (version, affected) => {
    expect(isAffected({ versions: [], ranges: [{ type: "SEMVER", events: events.toReversed() }] }, version)).toBe(
      affected,
    );
  });

  it("begins before every version with 0, and may be a list", () => {
    expect(isAffected({ versions: [], ranges: [{ type: "SEMVER", events: [{ introduced: "0" }] }] }, "0.0.0-1")).toBe(
      true,
    );
    expect(isAffected({ versions: ["4.4.4"], ranges: [] }, "4.4.4")).toBe(true);
    expect(isAffected({ versions: ["4.4.4"], ranges: [{ type: "GIT", events: [{ introduced: "0" }] }] }, "4.4.5")).toBe(
      false,
    );
  });
});
