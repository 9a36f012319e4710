import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { mostNamesInReport } from "~/lib/day-counts.ts";
import { useWorld } from "./support/world.ts";

const world = useWorld();

const dayMs = 24 * 60 * 60 * 1000;
const dayFromNow = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const report = (changes: object = {}) => ({
  id: randomUUID(),
  day: dayFromNow(0),
  counts: { view: { "/": 2 }, referrer: { "linkedin.com": 1, "(other)": 1 } },
  ...changes,
});
const manyNames = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}`.padEnd(64, "x"), 1_000_000_000 - n]));

const send = async (body: unknown) => (await world.call("report-counts", body)).status;

describe("report-counts", () => {
  it("adds a report of the site", async () => {
    expect(await send(report())).toBe(200);
    expect(await world.sql("select 1 from private.day_counts")).toHaveLength(3);
  });

  it("accepts the largest report that a site can send", async () => {
    const names = manyNames(mostNamesInReport);
    expect(await send(report({ counts: { referrer: names, campaign: names, view: { "/": 1 } } }))).toBe(200);
  });

  it.each([
    ["without an id", { id: undefined }],
    ["of another kind", { counts: { visitor: { a: 1 } } }],
    ["with a name that visitors may not choose", { counts: { campaign: { "jane@doe.example": 1 } } }],
    ["with a fractional count", { counts: { view: { "/": 0.5 } } }],
    ["with a count of zero", { counts: { view: { "/": 0 } } }],
    ["with more names than a site sends", { counts: { campaign: manyNames(mostNamesInReport + 3) } }],
    ["for a day too far in the past", { day: dayFromNow(-10) }],
    ["for a day too far in the future", { day: dayFromNow(11) }],
    ["for an invalid day", { day: "2026-02-30" }],
    ["with an unknown key", { visitor: "jane" }],
  ])("rejects a report %s", async (_what, changes) => {
    expect(await send(report(changes))).toBe(400);
  });

  it("returns 400 for a report that the database always rejects, so that it does not block later ones", async () => {
    await world.sql(
      "alter table private.day_counts add constraint refuses check (name <> 'refused.example') not valid",
    );
    expect(await send(report({ counts: { referrer: { "refused.example": 1 } } }))).toBe(400);
    expect(await send(report())).toBe(200);
    await world.sql("alter table private.day_counts drop constraint refuses");
  });
});
