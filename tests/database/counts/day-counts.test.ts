import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { countKinds, longestName, mostNames } from "~/lib/day-counts.ts";
import { eachBackend } from "../support/backends.ts";
import { keepRetention } from "../support/retention.ts";
import { signInAdmin } from "../support/test-backend.ts";

type Counts = Record<string, Record<string, number> | undefined>;

/** Returns counts for as many site names as a day can hold, numbered from `from`. */
const nameSites = (from: number) =>
  Object.fromEntries(Array.from({ length: mostNames }, (_, n) => [`site-${from + n}.example`, 1]));

/** Each name arrives twice. */
const inventCounts = (turn: number) => {
  const names = Object.keys(nameSites(turn * mostNames)).map((name) => [name, 2]);
  return { referrer: Object.fromEntries(names), campaign: Object.fromEntries(names) };
};

eachBackend("day counts", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });
  beforeEach(() => backend.exec("delete from private.day_counts"));

  async function add(counts: Counts, day = "2026-11-23", report = randomUUID(), client = backend.service) {
    return (await client.rpc("add_day_counts", { report, day, counts })).error?.code ?? null;
  }

  async function read(first_day: string, last_day: string, by_month = false, client = admin) {
    return (await client.rpc("read_day_counts", { first_day, last_day, by_month })).data;
  }

  it("sums counts by day and by month", async () => {
    expect(await add({ view: { "/": 2, "/about": 1 }, banner: { reject: 1 } })).toBeNull();
    expect(await add({ view: { "/": 3 } })).toBeNull();
    expect(await add({ view: { "/": 5 } }, "2026-11-24")).toBeNull();
    expect(await read("2026-11-23", "2026-11-24")).toEqual({
      times: [
        { time: "2026-11-23", kind: "banner", number: 1 },
        { time: "2026-11-23", kind: "view", number: 6 },
        { time: "2026-11-24", kind: "view", number: 5 },
      ],
      names: [
        { kind: "banner", name: "reject", number: 1 },
        { kind: "view", name: "/", number: 10 },
        { kind: "view", name: "/about", number: 1 },
      ],
      network: [],
    });
    expect((await read("2026-11-24", "2026-11-30")).times).toHaveLength(1);
    expect((await read("2026-11-01", "2026-11-30", true)).times).toContainEqual({
      time: "2026-11",
      kind: "view",
      number: 11,
    });
  });

  it("counts a report once when it arrives several times", async () => {
    const report = randomUUID();
    const sent = Array.from({ length: 5 }, () => add({ view: { "/": 1 } }, "2026-11-23", report));
    expect(await Promise.all(sent)).toEqual([null, null, null, null, null]);
    expect((await read("2026-11-23", "2026-11-23")).names).toEqual([{ kind: "view", name: "/", number: 1 }]);
  });

  it("stores 200 names per kind and day and counts the rest as (other)", async () => {
    await Promise.all(
      Array.from({ length: 10_000 / mostNames }, (_, turn) => add({ referrer: nameSites(turn * mostNames) })),
    );
    expect(await add({ referrer: { "(none)": 7, "site-late.example": 1 }, campaign: { launch: 1 } })).toBeNull();
    const rows = await backend.sql<{ own: number; others: number; none: number; campaigns: number }>(
      `select count(*) filter (where kind = 'referrer' and name like 'site-%')::integer as own,
         sum(number) filter (where name = '(other)')::integer as others,
         sum(number) filter (where name = '(none)')::integer as none,
         count(*) filter (where kind = 'campaign')::integer as campaigns
       from private.day_counts`,
    );
    expect(rows).toEqual([{ own: mostNames, others: 9_801, none: 7, campaigns: 1 }]);
    // A name that has a slot keeps it. Another day has its own slots.
    const [{ name } = { name: "" }] = await backend.sql<{ name: string }>(
      "select name from private.day_counts where name like 'site-%' limit 1",
    );
    await add({ referrer: { [name]: 1 } });
    await add({ referrer: { "site-late.example": 1 } }, "2026-11-24");
    const shown = (await read("2026-11-23", "2026-11-24")).names as { kind: string; name: string; number: number }[];
    expect(await backend.sql("select number::integer from private.day_counts where name = $1", [name])).toEqual([
      { number: 2 },
    ]);
    // The page shows a hundred names; the rest still count in the sum.
    const referrers = shown.filter(({ kind }) => kind === "referrer");
    expect(referrers.length).toBeLessThanOrEqual(101);
    expect(referrers.reduce((sum, { number }) => sum + number, 0)).toBe(10_000 + 1 + 7 + 1 + 1);
  });

  it("prefers names of earlier days, then those with the most arrivals, to invented ones", async () => {
    await add({ referrer: { "google.com": 5 }, campaign: { "letter-1": 4 } }, "2026-11-22");
    for (let turn = 0; turn < 3; turn += 1) await add(inventCounts(turn));
    await add({ referrer: { "google.com": 1 }, campaign: { "letter-1": 1, "letter-2": 3 } });
    await add(inventCounts(4));
    const kept =
      "select name, number::integer from private.day_counts where day = '2026-11-23' and name !~ '^site-|other' order by name";
    expect(await backend.sql(kept)).toEqual([
      { name: "google.com", number: 1 },
      { name: "letter-1", number: 1 },
      { name: "letter-2", number: 3 },
    ]);
    const names =
      "select kind, count(*)::integer as own from private.day_counts where day = '2026-11-23' and name <> '(other)' group by kind";
    expect(await backend.sql(names)).toEqual(expect.arrayContaining([{ kind: "referrer", own: mostNames }, { kind: "campaign", own: mostNames }])); // prettier-ignore
  });

  it("shows names that visitors can invent only from 3 arrivals on", async () => {
    await add({
      referrer: { "buy.example": 2, "news.example": 3, "(none)": 1 },
      view: { "/": 1 },
      campaign: { once: 1 },
    });
    expect((await read("2026-11-23", "2026-11-23")).names).toEqual([
      { kind: "campaign", name: "(other)", number: 1 },
      { kind: "referrer", name: "news.example", number: 3 },
      { kind: "referrer", name: "(other)", number: 2 },
      { kind: "referrer", name: "(none)", number: 1 },
      { kind: "view", name: "/", number: 1 },
    ]);
    await add({ referrer: { "buy.example": 1 } }, "2026-11-24");
    expect((await read("2026-11-23", "2026-11-24")).names).toContainEqual({ kind: "referrer", name: "buy.example", number: 3 }); // prettier-ignore
  });

  it("accepts every kind that the site counts, and rejects malformed counts", async () => {
    for (const kind of countKinds) expect(await add({ [kind]: { ["a".repeat(longestName)]: 1 } })).toBeNull();
    const refused: Counts[] = [
      { visitor: { a: 1 } },
      { view: { "a b": 1 } },
      { view: { "<b>": 1 } },
      { view: { "(me)": 1 } },
      { view: { "": 1 } },
      { view: { "jane@doe.example": 1 } },
      { view: { ["a".repeat(longestName + 1)]: 1 } },
      { view: { "/": 0 } },
      { view: { "/": -1 } },
    ];
    for (const counts of refused)
      expect(await add({ campaign: { whole: 1 }, ...counts }), JSON.stringify(counts)).toBe("23514");
    expect(await backend.sql("select 1 as ok from private.day_counts where name = 'whole'")).toEqual([]);
  });

  it("accepts counts from the service only and shows them to admins only", async () => {
    const person = backend.client((await backend.signIn()).token);
    for (const client of [backend.client(), person, admin])
      expect(await add({ view: { "/": 1 } }, "2026-11-23", randomUUID(), client)).toBe("42501");
    const days = { first_day: "2026-11-23", last_day: "2026-11-23", by_month: false };
    for (const client of [backend.client(), person])
      expect((await client.rpc("read_day_counts", days)).error?.code).toBe("42501");
    expect(await backend.sql("select 1 as ok from private.day_counts")).toEqual([]);
  });

  it("deletes counts after 13 months and report ids after a day", async () => {
    await backend.sql(
      `insert into private.day_counts
       values ((now() - interval '13 months')::date - 1, 'view', '/', 1), ((now() - interval '13 months')::date, 'view', '/', 1)
       returning 1 as ok`,
    );
    await backend.sql("update private.count_reports set received_at = now() - interval '25 hours' returning 1 as ok");
    await add({ view: { "/": 1 } }, new Date().toISOString().slice(0, 10));
    expect(await keepRetention(backend)).toMatchObject({ day_counts: 1 });
    expect(await backend.sql("select count(*)::integer as days from private.day_counts")).toEqual([{ days: 2 }]);
    expect(await backend.sql("select count(*)::integer as reports from private.count_reports")).toEqual([
      { reports: 1 },
    ]);
  });
});
