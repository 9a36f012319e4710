import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mostNamesInReport, reportDays } from "~/lib/day-counts.ts";
import { type Site, siteKey, startSite } from "./support/site.ts";

const dayMs = 24 * 60 * 60 * 1000;
const dayFromNow = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

describe("report-counts", () => {
  let site: Site;
  let settings: Site["settings"];

  beforeAll(async () => {
    site = await startSite();
    settings = { ...site.settings };
  });
  afterAll(() => site?.close());
  beforeEach(async () => {
    Object.assign(site.settings, settings);
    await site.sql("delete from private.day_counts");
  });

  const report = (changes: object = {}) => ({
    id: randomUUID(),
    day: dayFromNow(0),
    counts: { view: { "/": 2 }, referrer: { "linkedin.com": 1, "(other)": 1 } },
    ...changes,
  });

  const send = async (body: unknown) => (await site.call("report-counts", body)).status;

  const stored = () => site.sql<{ number: string }>("select number::integer as number from private.day_counts");

  it("adds a report of the site", async () => {
    expect(await send(report())).toBe(200);
    expect(await stored()).toHaveLength(3);
  });

  it("rejects unsigned reports, and every report when no key is set", async () => {
    expect((await site.callUnsigned("report-counts", report())).status).toBe(403);
    for (const key of [`${siteKey}k`, undefined]) {
      site.settings.SITE_KEY = key;
      expect(await send(report())).toBe(403);
    }
    expect(await stored()).toEqual([]);
  });

  it.each([
    ["that is not an object", []],
    ["without an id", report({ id: undefined })],
    ["of another kind", report({ counts: { visitor: { a: 1 } } })],
    ["with a name that visitors may not choose", report({ counts: { campaign: { "jane@doe.example": 1 } } })],
    ["with a fractional count", report({ counts: { view: { "/": 0.5 } } })],
    ["with a count of zero", report({ counts: { view: { "/": 0 } } })],
    [
      "with more names than a site sends",
      report({
        counts: { campaign: Object.fromEntries(Array.from({ length: mostNamesInReport + 3 }, (_, n) => [`n${n}`, 1])) },
      }),
    ],
    ["for a day too far in the past", report({ day: dayFromNow(-reportDays - 1) })],
    ["for a future day", report({ day: dayFromNow(reportDays + 2) })],
    ["for an invalid day", report({ day: "2026-02-30" })],
    ["with an unknown key", report({ visitor: "jane" })],
  ])("rejects a report %s", async (_what, body) => {
    expect(await send(body)).toBe(400);
  });

  it("accepts the largest report that a site can send", async () => {
    const names = Object.fromEntries(
      Array.from({ length: mostNamesInReport }, (_, n) => [`${n}`.padEnd(64, "x"), 1_000_000_000 - n]),
    );
    expect(await send(report({ counts: { referrer: names, campaign: names, view: { "/": 1 } } }))).toBe(200);
  });

  it("returns 400 for a report that the database always rejects, so that it does not block later ones", async () => {
    await site.sql("alter table private.day_counts add constraint refuses check (name <> 'refused.example') not valid");
    const refused = report({ day: dayFromNow(-1), counts: { referrer: { "refused.example": 1 } } });
    expect(await send(refused)).toBe(400);
    expect(await send(report())).toBe(200);
    await site.sql("alter table private.day_counts drop constraint refuses");
  });

  it("returns 503 and logs the failure when the database rejects the key", async () => {
    site.settings.SUPABASE_SECRET_KEY = "wrong";
    expect(await send(report())).toBe(503);
    expect(site.events).toContainEqual(expect.objectContaining({ event: "counts-not-stored" }));
  });
});
