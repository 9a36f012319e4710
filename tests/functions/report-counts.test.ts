import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mostNamesInReport, reportDays } from "~/lib/day-counts.ts";
import { type Site, siteKey, startSite } from "./support/site.ts";

const dayMs = 24 * 60 * 60 * 1000;
const dayFromNow = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

describe("the function that takes counts", () => {
  let site: Site;

  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site?.close());
  beforeEach(() => {
    site.settings.SITE_KEY = siteKey;
  });

  const report = (changes: object = {}) => ({
    id: randomUUID(),
    day: dayFromNow(0),
    counts: { view: { "/": 2 }, referrer: { "linkedin.com": 1, "(other)": 1 } },
    ...changes,
  });

  const send = async (body: unknown) => (await site.call("report-counts", body)).status;

  const stored = () => site.sql<{ number: string }>("select number::integer as number from private.day_counts");

  it("adds what the site reports", async () => {
    expect(await send(report())).toBe(200);
    expect(await stored()).toHaveLength(3);
  });

  it("takes nothing without the signature of the site, and from nobody where none is set", async () => {
    const before = await stored();
    expect((await site.callAsStranger("report-counts", report())).status).toBe(403);
    for (const key of [`${siteKey}k`, undefined]) {
      site.settings.SITE_KEY = key;
      expect(await send(report())).toBe(403);
    }
    expect(await stored()).toEqual(before);
  });

  it.each([
    ["no object", []],
    ["without its number", report({ id: undefined })],
    ["of another kind", report({ counts: { visitor: { a: 1 } } })],
    ["with a name that strangers may not choose", report({ counts: { campaign: { "jane@doe.example": 1 } } })],
    ["with half a count", report({ counts: { view: { "/": 0.5 } } })],
    ["with none", report({ counts: { view: { "/": 0 } } })],
    [
      "with more names than a site sends",
      report({
        counts: { campaign: Object.fromEntries(Array.from({ length: mostNamesInReport + 3 }, (_, n) => [`n${n}`, 1])) },
      }),
    ],
    ["of a day that is long over", report({ day: dayFromNow(-reportDays - 1) })],
    ["of a day to come", report({ day: dayFromNow(reportDays + 2) })],
    ["of no day", report({ day: "2026-02-30" })],
    ["with more than that", report({ visitor: "jane" })],
  ])("refuses a report %s", async (_what, body) => {
    expect(await send(body)).toBe(400);
  });

  it("takes the largest report that a site can send", async () => {
    const names = Object.fromEntries(
      Array.from({ length: mostNamesInReport }, (_, n) => [`${n}`.padEnd(64, "x"), 1_000_000_000 - n]),
    );
    expect(await send(report({ counts: { referrer: names, campaign: names, view: { "/": 1 } } }))).toBe(200);
  });

  it("gives up a report that the database will never take, so that later ones can follow", async () => {
    await site.sql("alter table private.day_counts add constraint refuses check (name <> 'refused.example') not valid");
    // Today has no place for another name.
    const refused = report({ day: dayFromNow(-1), counts: { referrer: { "refused.example": 1 } } });
    expect(await send(refused)).toBe(400);
    expect(await send(report())).toBe(200);
    await site.sql("alter table private.day_counts drop constraint refuses");
  });

  it("says when the database refuses", async () => {
    site.settings.SUPABASE_SECRET_KEY = "wrong";
    expect(await send(report())).toBe(503);
    expect(site.events).toContainEqual(expect.objectContaining({ event: "counts-not-stored" }));
  });
});
