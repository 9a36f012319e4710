import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { countKinds, longestName, mostNames } from "~/lib/day-counts.ts";
import { call, useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { keepRetention } from "../support/retention.ts";

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
  const admin = useAdmin(backend);

  beforeEach(() => backend.exec("delete from private.day_counts"));

  const add = (counts: Counts, day = "2026-11-23", report = randomUUID()) =>
    call(backend.service, "add_day_counts", { report, day, counts });
  const read = (first_day: string, last_day = first_day, by_month = false) =>
    admin.call("read_day_counts", { first_day, last_day, by_month });

  async function count(what: string, where = "true"): Promise<number> {
    const [row] = await backend.sql<{ n: number }>(
      `select (${what})::integer as n from private.day_counts where ${where}`,
    );
    return row!.n;
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
    expect((await read("2026-11-23")).names).toEqual([{ kind: "view", name: "/", number: 1 }]);
  });

  it("stores 200 names per kind and day and counts the rest as (other)", async () => {
    // Ten at once: each waits for the one before, and PostgREST lets none wait for ever.
    for (let turn = 0; turn < 50; turn += 10) {
      const sent = Array.from({ length: 10 }, (_, n) => add({ referrer: nameSites((turn + n) * mostNames) }));
      expect(new Set(await Promise.all(sent))).toEqual(new Set([null]));
    }
    expect(await add({ referrer: { "(none)": 7, "site-late.example": 1 }, campaign: { launch: 1 } })).toBeNull();
    expect(await count("count(*)", "kind = 'referrer' and name like 'site-%'")).toBe(mostNames);
    expect(await count("sum(number)", "name = '(other)'")).toBe(9_801);
    expect(await count("sum(number)", "name = '(none)'")).toBe(7);
    expect(await count("count(*)", "kind = 'campaign'")).toBe(1);
    // A name that has a slot keeps it. Another day has its own slots.
    const [stored] = await backend.sql<{ name: string }>(
      "select name from private.day_counts where name like 'site-%'",
    );
    await add({ referrer: { [stored!.name]: 1 } });
    await add({ referrer: { "site-late.example": 1 } }, "2026-11-24");
    expect(await count("sum(number)", `name = '${stored!.name}'`)).toBe(2);
    const shown = (await read("2026-11-23", "2026-11-24")).names as { kind: string; name: string; number: number }[];
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
    for (const kind of ["referrer", "campaign"])
      expect(await count("count(*)", `day = '2026-11-23' and name <> '(other)' and kind = '${kind}'`)).toBe(mostNames);
  });

  it("shows names that visitors can invent only from 3 arrivals on", async () => {
    await add({
      referrer: { "buy.example": 2, "news.example": 3, "(none)": 1 },
      view: { "/": 1 },
      campaign: { once: 1 },
    });
    expect((await read("2026-11-23")).names).toEqual([
      { kind: "campaign", name: "(other)", number: 1 },
      { kind: "referrer", name: "news.example", number: 3 },
      { kind: "referrer", name: "(other)", number: 2 },
      { kind: "referrer", name: "(none)", number: 1 },
      { kind: "view", name: "/", number: 1 },
    ]);
    await add({ referrer: { "buy.example": 1 } }, "2026-11-24");
    const { names } = await read("2026-11-23", "2026-11-24");
    expect(names).toContainEqual({ kind: "referrer", name: "buy.example", number: 3 });
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
    expect(await count("count(*)", "name = 'whole'")).toBe(0);
  });

  it("deletes counts after 13 months and report ids after a day", async () => {
    const limit = "(now() - interval '13 months')::date";
    await backend.exec(
      `insert into private.day_counts values (${limit} - 1, 'view', '/', 1), (${limit}, 'view', '/', 1);
       update private.count_reports set received_at = now() - interval '25 hours'`,
    );
    await add({ view: { "/": 1 } }, new Date().toISOString().slice(0, 10));
    expect(await keepRetention(backend)).toMatchObject({ day_counts: 1 });
    expect(await count("count(*)")).toBe(2);
    expect(await backend.sql("select count(*)::integer as n from private.count_reports")).toEqual([{ n: 1 }]);
  });
});
