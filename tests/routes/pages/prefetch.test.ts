import { expect, it } from "vitest";
import { findFreePort } from "../../support/free-port";
import { publicPaths } from "../../support/page-source";
import { cookieJars } from "../../support/real-requests.mjs";
import { hasBanner, readSetCookies } from "../support/consent";
import { useSite } from "../support/world";

/** Header that Chromium sends while a pointer rests on a link (HTML, section 7.6, `Sec-Purpose`). */
const prefetch = { "Sec-Purpose": "prefetch" };
const signal = { "Sec-GPC": "1" };

const port = String(await findFreePort());
const metrics = `http://127.0.0.1:${port}/metrics`;
const site = useSite({ METRICS_PORT: port });

it("sets no cookie with any cookies of the browser", async () => {
  for (const path of publicPaths) expect(readSetCookies(await site.get(path, prefetch)), path).toEqual([]);
  for (const jar of cookieJars) {
    for (const path of ["/about", "/contact"]) {
      const headers = { Cookie: jar, "Sec-Purpose": "prefetch;prerender" };
      expect(readSetCookies(await site.get(path, headers)), `${path} with ${jar}`).toEqual([]);
    }
  }
});

it("records no signal, and shows no banner after one", async () => {
  const visitor = site.visitor();
  const page = await visitor.get("/value", { ...signal, ...prefetch });
  expect(hasBanner(page.html)).toBe(false);
  expect(readSetCookies(page)).toEqual([]);
  expect(readSetCookies(await visitor.get("/value", signal))).not.toEqual([]);
});

it("is counted and logged as a prefetch, from memory and rendered", async () => {
  const visitor = site.visitor();
  const visits = /^site_http_requests_total\{route="\/build",status="2xx"\} (\d+)$/m;
  const countVisits = async () => Number(visits.exec(await (await fetch(metrics)).text())?.[1] ?? 0);
  const countLines = () => site.output().match(/"route":"\/build".*"prefetch":true\}$/gm)?.length ?? 0;
  const [visitsBefore, linesBefore] = [await countVisits(), countLines()];
  for (const [path, headers] of [
    ["/build", {}],
    ["/build", prefetch],
    ["/build?cookie-preferences=open", prefetch],
  ] as const)
    await visitor.get(path, headers);
  await expect.poll(countVisits).toBe(visitsBefore + 3);
  await expect.poll(countLines).toBe(linesBefore + 2);
});
