import { describe, expect, it } from "vitest";
import { namePattern } from "~/lib/day-counts";
import { createLocalClock } from "~/lib/local-clock";
import { createCountView } from "./count-view.server";
import { createDayCounts } from "./day-counts.server";
import { nameCampaign, nameReferrer } from "./traffic-sources.server";

const hour = 60 * 60 * 1000;
const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const visit = (headers: Record<string, string> = {}, url = "/") => ({
  method: "GET",
  url,
  headers: { host: "firm.example", "user-agent": chrome, ...headers },
});

describe("daily counts", () => {
  it("follow the firm's time zone, and are taken oldest first", () => {
    // 10:30 PM in New York, 03:30 in UTC.
    let now = Date.UTC(2026, 10, 24, 3, 30);
    const counts = createDayCounts(createLocalClock("America/New_York", () => now).today);
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

  it("hold at most 1,000 names of a kind, and (other)", () => {
    const counts = createDayCounts(createLocalClock("UTC", () => 0).today);
    const countView = createCountView(counts, "firm.example", () => false);
    for (let n = 0; n < 10_000; n++)
      countView(visit({ referer: `https://site-${n}.example/` }, `/?utm_campaign=letter-${n}`), "/", 200);
    const { view, referrer, campaign, ...others } = counts.take()?.counts ?? {};
    for (const names of [referrer ?? {}, campaign ?? {}]) {
      expect(Object.keys(names)).toHaveLength(1_001);
      expect(names["(other)"]).toBe(9_000);
    }
    expect([view, others]).toEqual([{ "/": 10_000 }, {}]);
  });

  it("keep at most eight days while the database is down", () => {
    let now = 0;
    const counts = createDayCounts(createLocalClock("UTC", () => now).today);
    for (let day = 1; day <= 30; day++, now += 24 * hour) counts.add("view", "/");
    const days: string[] = [];
    for (let report = counts.take(); report !== null; report = counts.take()) days.push(report.day);
    expect(days).toEqual([23, 24, 25, 26, 27, 28, 29, 30].map((day) => `1970-01-${day}`));
  });
});

function countOne(request: ReturnType<typeof visit>, route = "/", status = 200) {
  const counts = createDayCounts(createLocalClock("UTC", () => 0).today);
  createCountView(counts, null, () => false)(request, route, status);
  return counts.take()?.counts ?? null;
}

describe("a view", () => {
  it("is counted with its referrer and campaign", () => {
    const request = visit({ referer: "https://www.linkedin.com/" }, "/?utm_campaign=launch");
    const counted = { view: { "/": 1 }, referrer: { "linkedin.com": 1 }, campaign: { launch: 1 } };
    expect(countOne(request)).toEqual(counted);
    expect(countOne(request, "/", 304)).toEqual(counted);
  });

  const robot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
  it.each<[string, Record<string, string>, object]>([
    ["despite DNT and GPC", { dnt: "1", "sec-gpc": "1" }, { view: { "/": 1 }, referrer: { "(none)": 1 } }],
    ["without a referrer from the request's own host", { referer: "http://firm.example/about" }, { view: { "/": 1 } }],
    ["separately if prefetched", { "sec-purpose": "prefetch;prerender" }, { prefetch: { "/": 1 } }],
    ["separately for a robot", { "user-agent": robot }, { robot: { "/": 1 } }],
    ["separately for a program", { "user-agent": "curl/8.5.0" }, { robot: { "/": 1 } }],
    ["separately without a user agent", { "user-agent": "" }, { robot: { "/": 1 } }],
  ])("is counted %s", (_case, headers, counted) => {
    expect(countOne(visit(headers))).toEqual(counted);
  });

  it.each([
    ["an admin page", "/admin", 200, "GET"],
    ["a missing page", "/*", 404, "GET"],
    ["a redirect", "/", 308, "GET"],
    ["a HEAD request", "/", 200, "HEAD"],
    ["a data request", "/contact.data", 200, "GET"],
  ])("is not counted for %s", (_case, route, status, method) => {
    expect(countOne({ ...visit(), method }, route, status)).toBeNull();
  });
});

it("names match the database's constraint", () => {
  for (const name of ["/", "/small-business", "linkedin.com", "a_b.c-d", "(other)", "(none)"])
    expect(name).toMatch(namePattern);
  for (const name of ["", "(x)", "A", "a b", "-a", "a".repeat(65)]) expect(name).not.toMatch(namePattern);
});

it.each<[string | undefined, string | null]>([
  ["https://WWW.Google.com", "google.com"],
  ["http://news.example.org:8080/story?id=jane@doe.example", "news.example.org"],
  ["android-app://com.google.android.gm/", "com.google.android.gm"],
  ["https://xn--fiqs8s.xn--fiqs8s/", "xn--fiqs8s.xn--fiqs8s"],
  [undefined, "(none)"],
  // Our own pages.
  ["https://FIRM.example:8443", null],
  ["http://firm.example:8443?a", null],
  // An IP address, a private machine, a name and password, another scheme, Unicode, and a long name.
  ["http://192.0.2.7/admin", "(other)"],
  ["http://janes-macbook.local/", "(other)"],
  ["https://jane:secret@mail.example/", "(other)"],
  ["file:///home/jane/letter.html", "(other)"],
  ["https://bücher.example/", "(other)"],
  [`https://${"a".repeat(60)}.example/`, "(other)"],
])("names the referrer %s as %s", (referrer, name) => {
  expect(nameReferrer(referrer, "firm.example:8443")).toBe(name);
});

it.each<[string, string | null]>([
  ["/?utm_campaign=Spring+Letter", "spring-letter"],
  ["/about?utm_source=linkedin&utm_campaign=launch_2026.v2", "launch_2026.v2"],
  ["/?utm_campaign=&utm_source=letter", "letter"],
  [`/?utm_campaign=${"a".repeat(64)}`, "a".repeat(64)],
  ["/", null],
  ["/?utm_medium=social", null],
  ["/utm_campaign=x", null],
  ["/?utm_campaign=%20", null],
  // An IP address, Unicode, and a broken escape.
  ["/?utm_campaign=192.0.2.7", "(other)"],
  ["/?utm_campaign=fr%C3%BChling", "(other)"],
  ["/?utm_campaign=%E0%A4%A", "(other)"],
])("names the campaign of %s as %s", (url, name) => {
  expect(nameCampaign(url)).toBe(name);
});
