import { describe, expect, it } from "vitest";
import { findTablesWith, type Sql, withDatabaseOf } from "../../support/find-text";
import { startSite } from "../../support/site";
import { Visitor, filledContactForm } from "../../support/visitor";
import { choose } from "../support/consent";
import { openWorld } from "./support/world";

const chrome = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36" };
const timeouts = { countReport: 100 };

/** Reads the counts of all days by kind and name, because a test may run at midnight. */
async function readCounts(sql: Sql): Promise<Record<string, Record<string, number>>> {
  const rows = await sql<{ kind: string; name: string; number: number }>(
    "select kind, name, sum(number)::integer as number from private.day_counts group by kind, name",
  );
  const counts: Record<string, Record<string, number>> = {};
  for (const { kind, name, number } of rows) counts[kind] = { ...counts[kind], [name]: number };
  return counts;
}

/** Reads the cells of one section's table, row by row. */
function readTable(html: string, id: string): string[][] {
  const table = new RegExp(`<h3 id="${id}".*?</details>`, "s").exec(html)?.[0] ?? "";
  return [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) => cell),
  );
}

it("counts views of cached and rendered pages, and keeps nothing else of a visit", async () => {
  const site = await startSite({}, { own: true, isWarm: true, timeouts });
  const mark = "kanarienvogel";
  const browser = {
    "User-Agent": `${chrome["User-Agent"]} ${mark}`,
    "X-Forwarded-For": "203.0.113.77",
    Cookie: `${mark}=${mark}`,
  };
  const visitor = new Visitor(site.url);
  const visit = (path: string, headers: Record<string, string> = {}) => visitor.get(path, { ...browser, ...headers });
  for (const path of ["/", "/", `/startups?token=${mark}`]) await visit(path);
  const { headers } = await visit("/about", { Referer: `https://www.linkedin.com/feed?who=${mark}` });
  const ofSite = { Referer: `${site.url}/about?${mark}` };
  const again = await visit("/about", { "If-None-Match": headers.get("etag") ?? "", ...ofSite });
  expect(again.status).toBe(304);
  await visit(`/scale?utm_campaign=${mark}%40mail.example`, { Referer: `http://203.0.113.77/${mark}` });
  // Pages outside the cache are rendered.
  expect((await visit("/about?cookie-preferences=open", ofSite)).headers.getSetCookie()).toEqual([]);
  for (const path of ["/no-such-page", "/login", "/robots.txt", "/About/", "/healthz"]) await visit(path);
  await visitor.post("/contact", {}, chrome);
  await site.stop();

  expect(site.output()).toContain('"route":"/about"');
  const personal = [mark, "203.0.113.77", "Mozilla", '127.0.0.1"', "::ffff"];
  expect(personal.filter((text) => site.output().includes(text))).toEqual([]);
  await withDatabaseOf(site.dataDir, async (sql) => {
    for (const text of [mark, "203.0.113.77", "Mozilla", "127.0.0.1", "mail.example"])
      expect([text, await findTablesWith(sql, text)]).toEqual([text, []]);
    expect(await readCounts(sql)).toEqual({
      view: { "/": 2, "/about": 3, "/startups": 1, "/scale": 1 },
      referrer: { "(none)": 3, "linkedin.com": 1, "(other)": 1 },
      campaign: { "(other)": 1 },
    });
  });
});

describe("other counts", () => {
  const world = openWorld(() => startSite({}, { own: true, timeouts }));

  it("show views and decisions about cookies on /admin/numbers, for a week, a month or a year", async () => {
    for (const choice of ["accept", "reject", "reject"] as const) await choose(world.visitor(), choice);
    await world.visitor().post("/consent", { choice: "close", source: "banner" });
    const visitor = world.visitor();
    for (let n = 0; n < 3; n++) await visitor.get("/startups", { ...chrome, Referer: "https://news.example.org/" });
    const read = async (period: string, table: string) =>
      readTable(await world.open(`/admin/numbers?period=${period}`), table);
    await expect
      .poll(async () => (await read("week", "pages"))[1], { interval: 250 })
      .toEqual(["/startups", "3", "0", "0", "0"]);
    expect((await read("week", "views")).at(-1)).toEqual(["Total", "3", "3", "0", "0", "0"]);
    expect(await world.read("/admin/numbers?period=week")).toMatch(/Messages 0 Answered on time this month – Views 3 /);
    expect((await read("week", "referrers")).slice(1)).toEqual([["news.example.org", "3"]]);
    expect((await read("week", "banner")).slice(1).toSorted()).toEqual([
      ["Accept all", "1"],
      ["Closed", "1"],
      ["Reject all", "2"],
    ]);
    for (const [period, rows] of Object.entries({ week: 7, month: 30, year: 13 }))
      expect(await read(period, "views")).toHaveLength(1 + rows + 1);
  });

  it("attribute messages to the page that led to the form, also after errors, and store nothing else", async () => {
    const send = (path: string, from: string, fields: Partial<typeof filledContactForm>) =>
      world.visitor().post(path, { ...filledContactForm, ...fields }, { Referer: world.site.url + from });
    const mistaken = await send("/contact", "/contact?from=startups", { name: "" });
    const [, again = ""] = /<form[^>]* action="(\/contact[^"]*)"/.exec(mistaken.html) ?? [];
    expect([mistaken.status, again]).toEqual([400, "/contact?from=startups"]);
    const sources = [
      [again, "/contact"],
      ["/contact?about=investors", "/contact?about=investors"],
      ["/contact", "/contact?from=kanarienvogel"],
      ["/contact", "/about?from=startups"],
    ] as const;
    for (const [n, [path, from]] of sources.entries())
      expect((await send(path, from, { message: `Message ${n}` })).status).toBe(303);
    // Caught by the honeypot: not a message.
    await send("/contact", "/contact", { topic: "x" });
    await world.stop();
    await withDatabaseOf(world.site.dataDir, async (sql) => {
      expect((await readCounts(sql)).message).toEqual({ "(none)": 2, "/investors": 1, "/startups": 1 });
      expect(await findTablesWith(sql, "kanarienvogel")).toEqual([]);
    });
  });
});
