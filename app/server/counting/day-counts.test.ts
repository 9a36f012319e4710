import { describe, expect, it } from "vitest";
import { namePattern } from "~/lib/day-counts";
import { createCountView } from "./count-view.server";
import { createDayCounts } from "./day-counts.server";

const hour = 60 * 60 * 1000;
const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const visit = (headers: Record<string, string> = {}, url = "/") => ({
  method: "GET",
  url,
  headers: { host: "firm.example", "user-agent": chrome, ...headers },
});

describe("the counts of a day", () => {
  it("are of the firm's own day, and come out oldest first", () => {
    // Half past ten in the evening in New York, which is 03:30 in UTC.
    let now = Date.UTC(2026, 10, 24, 3, 30);
    const counts = createDayCounts("America/New_York", () => now);
    counts.add("view", "/");
    now += 1.5 * hour - 1;
    counts.add("view", "/");
    now += 1;
    counts.add("view", "/about");
    expect(counts.take()).toEqual({ day: "2026-11-23", counts: { view: { "/": 2 } } });
    counts.add("banner", "reject");
    expect(counts.take()).toEqual({ day: "2026-11-24", counts: { view: { "/about": 1 }, banner: { reject: 1 } } });
    expect(counts.take()).toBeNull();
  });

  it("hold 1,000 names of a kind and (other), whatever strangers send", () => {
    const counts = createDayCounts("UTC", () => 0);
    const countView = createCountView(counts, "firm.example");
    for (let n = 0; n < 10_000; n++)
      countView(visit({ referer: `https://site-${n}.example/` }, `/?utm_campaign=letter-${n}`), "/", 200);
    const { counts: taken } = counts.take() ?? {};
    for (const names of [taken?.referrer ?? {}, taken?.campaign ?? {}]) {
      expect(Object.keys(names)).toHaveLength(1_001);
      expect(names["(other)"]).toBe(9_000);
    }
    expect(taken?.view).toEqual({ "/": 10_000 });
  });

  it("wait for the database, those of eight days at most", () => {
    let now = 0;
    const counts = createDayCounts("UTC", () => now);
    for (let day = 1; day <= 30; day++, now += 24 * hour) counts.add("view", "/");
    const days: string[] = [];
    for (let report = counts.take(); report !== null; report = counts.take()) days.push(report.day);
    expect(days).toEqual([23, 24, 25, 26, 27, 28, 29, 30].map((day) => `1970-01-${day}`));
  });

  it("hold nothing of 100,000 visitors but where they came from and went", () => {
    const counts = createDayCounts("UTC", () => 0);
    const countView = createCountView(counts, "firm.example");
    const mark = "kanarienvogel";
    for (let n = 0; n < 100_000; n++) {
      const headers = {
        "user-agent": `${chrome} ${mark}/${n % 2_000}`,
        referer: `https://firm.example/startups?${mark}=${n}`,
        "x-forwarded-for": `${mark}, 203.0.113.77`,
        cookie: `${mark}=${n}`,
        authorization: `Bearer ${mark}`,
      };
      countView(visit(headers, `/?token=${mark}${n}&utm_campaign=${mark}@mail.example`), "/", 200);
      countView(visit({ ...headers, referer: `https://${mark}:x@mail.example/${mark}` }), "/", 200);
    }
    expect(counts.take()).toEqual({
      day: "1970-01-01",
      counts: { view: { "/": 200_000 }, referrer: { "(other)": 100_000 }, campaign: { "(other)": 100_000 } },
    });
  });
});

function countOne(request: ReturnType<typeof visit>, route = "/", status = 200) {
  const counts = createDayCounts("UTC", () => 0);
  createCountView(counts, null)(request, route, status);
  return counts.take()?.counts ?? null;
}

describe("a view", () => {
  it("counts with its referrer and campaign", () => {
    const request = visit({ referer: "https://www.linkedin.com/" }, "/?utm_campaign=launch");
    const counted = { view: { "/": 1 }, referrer: { "linkedin.com": 1 }, campaign: { launch: 1 } };
    expect(countOne(request)).toEqual(counted);
    expect(countOne(request, "/", 304)).toEqual(counted);
  });

  it("of a browser that asks not to be tracked counts like any other, as nothing of it is kept", () => {
    expect(countOne(visit({ dnt: "1", "sec-gpc": "1" }))).toEqual({ view: { "/": 1 }, referrer: { "(none)": 1 } });
  });

  it("from one of our own pages has no referrer, whatever our host is", () => {
    expect(countOne(visit({ referer: "http://firm.example/about" }))).toEqual({ view: { "/": 1 } });
  });

  it("that a browser fetched ahead counts apart, and has no referrer", () => {
    expect(countOne(visit({ "sec-purpose": "prefetch;prerender" }))).toEqual({ prefetch: { "/": 1 } });
  });

  it.each([
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "curl/8.5.0",
    "LinkedInBot/1.0",
    "",
  ])("of a robot (%s) counts apart, and has no referrer", (agent) => {
    expect(countOne(visit({ "user-agent": agent }))).toEqual({ robot: { "/": 1 } });
  });

  it.each([
    ["no page of the site", "/admin", 200, "GET"],
    ["a page that is not there", "/*", 404, "GET"],
    ["a redirect", "/", 308, "GET"],
    ["a look at the head", "/", 200, "HEAD"],
    ["a sent form", "/contact", 200, "POST"],
    ["the data for a script", "/contact.data", 200, "GET"],
  ])("is not %s", (_what, route, status, method) => {
    expect(countOne({ ...visit(), method }, route, status)).toBeNull();
  });
});

it("names fit the database's own rule", () => {
  for (const name of ["/", "/small-business", "linkedin.com", "a_b.c-d", "(other)", "(none)"])
    expect(name).toMatch(namePattern);
  for (const name of ["", "(x)", "A", "a b", "-a", "a".repeat(65)]) expect(name).not.toMatch(namePattern);
});
