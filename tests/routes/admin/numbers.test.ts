import { beforeAll, describe, expect, it } from "vitest";
import { publicPaths } from "../../support/page-source";
import { findTablesWith, withDatabaseOf } from "../../support/find-text";
import { type TestSite, startSite } from "../../support/site";
import { Visitor, filledContactForm } from "../../support/visitor";
import { choose } from "../support/consent";

const chrome = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36" };
const timeouts = { countReport: 100 };

/** Number of views in the search for personal data. `VIEWS=100000` sends as many as the largest supported day. */
const viewsSent = Number(process.env.VIEWS ?? 100);

interface Row {
  kind: string;
  name: string;
  number: number;
}

/** Counts by kind and name. */
type Counts = Record<string, Record<string, number>>;
type Sql = Parameters<Parameters<typeof withDatabaseOf>[1]>[0];

const readCounts = (dataDir: string) => withDatabaseOf(dataDir, readCountsWith);

/** Reads all counts of all days, because a test may run at midnight. */
async function readCountsWith(sql: Sql): Promise<Counts> {
  const rows = await sql<Row>(
    "select kind, name, sum(number)::integer as number from private.day_counts group by kind, name",
  );
  const counts: Counts = {};
  for (const { kind, name, number } of rows) counts[kind] = { ...counts[kind], [name]: number };
  return counts;
}

/** Adds two sets of counts. */
function addTo(before: Counts, since: Counts): Counts {
  const sum = structuredClone(before);
  for (const [kind, numbers] of Object.entries(since))
    for (const [name, number] of Object.entries(numbers))
      sum[kind] = { ...sum[kind], [name]: (sum[kind]?.[name] ?? 0) + number };
  return sum;
}

const addUp = (numbers: Record<string, number> = {}) => Object.values(numbers).reduce((sum, number) => sum + number, 0);

/** Reads the cells of one section's table, row by row. */
function readTable(html: string, id: string): string[][] {
  const table = new RegExp(`<section aria-labelledby="${id}".*?</section>`, "s").exec(html)?.[0] ?? "";
  return [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) => cell),
  );
}

describe("views", () => {
  let site: TestSite;
  /** counts left by the first test */
  let before: Counts;

  beforeAll(async () => {
    site = await startSite({}, { own: true, isWarm: true, timeouts });
  });

  it(
    "leave no personal data in any table or log line",
    async () => {
      const mark = "kanarienvogel";
      const address = "203.0.113.77";
      const pages = [...publicPaths];
      const ask = async (n: number) => {
        const answer = await fetch(
          `${site.url}${pages[n % pages.length]}?token=${mark}&utm_campaign=${mark}%40mail.example`,
          {
            headers: {
              "User-Agent": `${chrome["User-Agent"]} ${mark}/${n % 700}`,
              Referer: n % 2 === 0 ? `https://${mark}@mail.example/` : `http://${address}/${mark}`,
              "X-Forwarded-For": address,
              Cookie: `${mark}=${mark}`,
            },
          },
        );
        await answer.arrayBuffer();
        expect(answer.headers.getSetCookie()).toEqual([]);
      };
      for (let n = 0; n < viewsSent; n += 20) await Promise.all(Array.from({ length: 20 }, (_, more) => ask(n + more)));
      await site.stop();

      const output = site.output();
      expect(output).toContain('"route":"/about"');
      for (const personal of [mark, address, "Mozilla", '127.0.0.1"', "::ffff"]) expect(output).not.toContain(personal);
      const kept = [mark, address, "Mozilla", "127.0.0.1", "mail.example"];
      const { found, counts } = await withDatabaseOf(site.dataDir, async (sql) => {
        const tables: string[][] = [];
        for (const personal of kept) tables.push(await findTablesWith(sql, personal));
        return { found: tables, counts: await readCountsWith(sql) };
      });
      expect(found).toEqual(kept.map(() => []));
      expect(addUp(counts.view)).toBe(viewsSent);
      expect(counts.campaign).toEqual({ "(other)": viewsSent });
      before = counts;
    },
    60_000 + viewsSent * 60,
  );

  it("count cached and rendered pages across a restart, and robots and prefetches separately", async () => {
    site = await startSite({}, { dataDir: site.dataDir, isWarm: true, timeouts });
    const visitor = new Visitor(site.url);
    for (const path of ["/", "/", "/startups"]) await visitor.get(path, chrome);
    const { headers } = await visitor.get("/about", { ...chrome, Referer: "https://www.linkedin.com/feed?who=jane" });
    const etag = headers.get("etag") ?? "";
    expect((await visitor.get("/about", { ...chrome, "If-None-Match": etag, Referer: `${site.url}/` })).status).toBe(
      304,
    );
    await visitor.get("/?utm_source=letter&utm_campaign=Autumn+2026", chrome);
    // Pages outside the cache are rendered.
    await visitor.get("/about?cookie-preferences=open", { ...chrome, Referer: `${site.url}/about` });
    await visitor.get("/", { "User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1)" });
    await visitor.get("/scale", { ...chrome, "Sec-Purpose": "prefetch" });

    for (const path of ["/no-such-page", "/admin", "/login", "/robots.txt", "/About/", "/contact.data", "/healthz"])
      await visitor.get(path, chrome);
    await visitor.post("/contact", {}, chrome);
    await site.stop();

    const counted = {
      view: { "/": 3, "/about": 3, "/startups": 1 },
      robot: { "/": 1 },
      prefetch: { "/scale": 1 },
      referrer: { "(none)": 4, "linkedin.com": 1 },
      campaign: { "autumn-2026": 1 },
    };
    expect(await readCounts(site.dataDir)).toEqual(addTo(before, counted));
  });
});

describe("other counts", () => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startSite({}, { own: true, timeouts });
  });

  it("show views and decisions about cookies on /admin/numbers", async () => {
    for (const choice of ["accept", "reject", "reject"] as const) await choose(new Visitor(site.url), choice);
    await new Visitor(site.url).post("/consent", { choice: "close", source: "banner" });
    const visitor = new Visitor(site.url);
    for (let n = 0; n < 3; n++) await visitor.get("/startups", { ...chrome, Referer: "https://news.example.org/" });
    const admin = new Visitor(site.url);
    await admin.signIn();
    const read = async (period = "week") => (await admin.get(`/admin/numbers?period=${period}`)).html;
    await expect
      .poll(async () => readTable(await read(), "pages")[1], { interval: 250 })
      .toEqual(["/startups", "3", "0", "0", "0"]);
    const html = await read();
    expect(readTable(html, "views")).toHaveLength(1 + 7 + 1);
    expect(readTable(html, "views").at(-1)).toEqual(["Total", "3", "3", "0", "0", "0"]);
    expect(readTable(html, "referrers").slice(1)).toEqual([["news.example.org", "3"]]);
    expect(readTable(html, "banner").slice(1).toSorted()).toEqual([
      ["Accept all", "1"],
      ["Closed", "1"],
      ["Reject all", "2"],
    ]);
    expect(readTable(await read("month"), "views")).toHaveLength(1 + 30 + 1);
    expect(readTable(await read("year"), "views")).toHaveLength(1 + 13 + 1);
    expect(readTable(await read("year"), "views").at(-1)?.[1]).toBe("3");
    expect((await new Visitor(site.url).get("/admin/numbers")).status).toBe(303);
  });

  it("attribute messages to the page that led to the form, also after errors, and store nothing else", async () => {
    const send = async (from: string, text: string, path = "/contact") =>
      (await new Visitor(site.url).post(path, { ...filledContactForm, message: text }, { Referer: site.url + from }))
        .status;
    expect(await send("/contact?from=startups", "One")).toBe(303);
    expect(await send("/contact?about=investors", "Two", "/contact?about=investors")).toBe(303);
    for (const from of ["/contact", "/contact?from=kanarienvogel", "/about?from=startups"])
      expect(await send(from, `Message ${from.length}`)).toBe(303);
    // Caught by the honeypot: not a message.
    await new Visitor(site.url).post("/contact", { ...filledContactForm, topic: "x" });

    const visitor = new Visitor(site.url);
    const { html } = await visitor.get("/startups");
    expect(html).toContain('href="/contact?from=startups"');
    const mistaken = await visitor.post(
      "/contact",
      { ...filledContactForm, name: "" },
      { Referer: `${site.url}/contact?from=startups` },
    );
    const [, again = ""] = /<form[^>]* action="(\/contact[^"]*)"/.exec(mistaken.html) ?? [];
    expect([mistaken.status, again]).toEqual([400, "/contact?from=startups"]);
    const fields = { ...filledContactForm, message: "Three" };
    expect((await visitor.post(again, fields, { Referer: `${site.url}/contact` })).status).toBe(303);
    await site.stop();
    await withDatabaseOf(site.dataDir, async (sql) => {
      expect((await readCountsWith(sql)).message).toEqual({ "(none)": 3, "/investors": 1, "/startups": 2 });
      expect(await findTablesWith(sql, "kanarienvogel")).toEqual([]);
    });
  });
});
