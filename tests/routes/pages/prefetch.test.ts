import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFreePort } from "../../support/free-port";
import { publicPaths, unlistedPaths } from "../../support/page-source";
import { cookieJars } from "../../support/real-requests.mjs";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";
import { choose, hasBanner, readSetCookies } from "../support/consent";

/** Header that Chromium sends while a pointer rests on a link (HTML, section 7.6, `Sec-Purpose`). */
const prefetch = { "Sec-Purpose": "prefetch" };
const signal = { "Sec-GPC": "1" };

let site: TestSite;
let metrics: string;

beforeAll(async () => {
  const port = await findFreePort();
  metrics = `http://127.0.0.1:${port}/metrics`;
  site = await startSite({ METRICS_PORT: String(port) });
});

afterAll(async () => {
  await site.stop();
});

describe("the speculation rules", () => {
  it("are named by every public page and by no other", async () => {
    for (const path of publicPaths) {
      const { headers } = await new Visitor(site.url).get(path);
      expect(headers.get("speculation-rules"), path).toBe('"/rules.json"');
    }
    for (const path of [...unlistedPaths, "/no-such-page", "/data-rights/status?token=x", "/logout"]) {
      const { headers } = await new Visitor(site.url).get(path);
      expect(headers.get("speculation-rules"), path).toBe(null);
    }
  });

  it("prefetch public pages without a query, except links to the contact form, at moderate eagerness", async () => {
    const answer = await fetch(`${site.url}/rules.json`);
    expect(answer.headers.get("content-type")).toBe("application/speculationrules+json");
    const rules: unknown = await answer.json();
    const pages = publicPaths.map((pathname) => ({ pathname, search: "" }));
    const contact = { pathname: "/contact", search: "from=*" };
    expect(rules).toEqual({ prefetch: [{ where: { href_matches: [...pages, contact] }, eagerness: "moderate" }] });
  });
});

describe("a prefetched page", () => {
  it("sets no cookie with any cookies of the browser", async () => {
    for (const path of publicPaths) {
      const visitor = new Visitor(site.url);
      expect(readSetCookies(await visitor.get(path, prefetch)), path).toEqual([]);
    }
    for (const jar of cookieJars) {
      for (const path of ["/about", "/contact"]) {
        const headers = { Cookie: jar, ...prefetch, "Sec-Purpose": "prefetch;prerender" };
        const answer = await fetch(site.url + path, { headers });
        expect(answer.headers.getSetCookie(), `${path} with ${jar}`).toEqual([]);
        await answer.text();
      }
    }
  });

  it("leaves a notice for the page that the visitor opens", async () => {
    const visitor = new Visitor(site.url);
    const sent = await visitor.post("/contact", filledContactForm);
    for (const path of ["/about", "/contact", sent.headers.get("location") ?? ""]) await visitor.get(path, prefetch);
    expect(readText((await visitor.follow(sent)).html)).toContain("Message Sent!");
  });

  it("is dropped by the browser after a decision, because it still has the banner", async () => {
    const { headers } = await choose(new Visitor(site.url), "reject");
    expect(headers.get("clear-site-data")).toBe('"prefetchCache", "cache"');
  });

  it("records no signal, and shows no banner after one", async () => {
    const visitor = new Visitor(site.url);
    const page = await visitor.get("/value", { ...signal, ...prefetch });
    expect(hasBanner(page.html)).toBe(false);
    expect(readSetCookies(page)).toEqual([]);
    expect(readSetCookies(await visitor.get("/value", signal))).not.toEqual([]);
  });

  it("is counted and logged as a prefetch, cached and rendered", async () => {
    const visitor = new Visitor(site.url);
    const visits = 'site_http_requests_total{route="/build",status="2xx"}';
    const countLines = () => site.output().match(/"route":"\/build".*"prefetch":true\}$/gm)?.length ?? 0;
    const [requestsBefore, linesBefore] = [await readFigure(visits), countLines()];
    await visitor.get("/build");
    await visitor.get("/build", prefetch);
    await visitor.get("/build?cookie-preferences=open", prefetch);
    await expect.poll(() => readFigure(visits)).toBe(requestsBefore + 3);
    await expect.poll(countLines).toBe(linesBefore + 2);
  });
});

/** Reads a metric. @returns 0 before its first count */
async function readFigure(name: string): Promise<number> {
  const text = await (await fetch(metrics)).text();
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}
