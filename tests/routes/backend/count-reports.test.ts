import { expect, it } from "vitest";
import { type Answering, type StubProject, answerJson, hang, hangUp } from "../support/stub-project";
import { openProject, openSite } from "../support/world";

const chrome = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36" };
const key = "k".repeat(32);

interface Report {
  id: string;
  counts: { view: Record<string, number> };
}

const reportsTo = (project: StubProject) => project.calls.filter(({ path }) => path === "/functions/v1/report-counts");
const bodiesOf = (project: StubProject) => reportsTo(project).map(({ body }) => JSON.parse(body) as Report);

/** Starts a site that reports its counts, and visits it once. */
async function start(first: Answering, { siteKey = key, countReport = 50 } = {}) {
  const project = await openProject(first);
  const site = await openSite(
    { ...project.settings, SITE_KEY: siteKey },
    { timeouts: { countReport, circuitReset: 50 } },
  );
  const view = async (path = "/") => void (await (await fetch(site.url + path, { headers: chrome })).text());
  await view();
  return { project, site, view };
}

it("keeps counts during an outage, and counts nothing twice after a lost response", async () => {
  const { project, site, view } = await start(answerJson(503, { error: "unavailable" }));
  await expect.poll(() => reportsTo(project).length).toBeGreaterThan(1);
  project.become(hangUp);
  await view("/about");
  const callCount = reportsTo(project).length;
  await expect.poll(() => reportsTo(project).length).toBeGreaterThan(callCount);
  project.become(answerJson(200, { ok: true }));
  const counted = () => Object.assign({}, ...bodiesOf(project).map(({ counts }) => counts.view)) as object;
  await expect.poll(counted).toEqual({ "/": 1, "/about": 1 });

  const bodies = bodiesOf(project);
  const [first] = bodies;
  // The same id until the report is confirmed, then another.
  expect(new Set(bodies.filter(({ counts }) => "/" in counts.view).map(({ id }) => id))).toEqual(new Set([first?.id]));
  expect(new Set(bodies.map(({ id }) => id)).size).toBe(2);
  for (const { headers } of reportsTo(project)) expect(headers["x-site-signature"]).toMatch(/^[\w-]{43}$/);
  expect(site.output()).toContain('"event":"counts.unreported"');
  expect(site.output()).not.toContain(key);
});

it("holds a view during a report for the next period, without additional calls", async () => {
  const everyMs = 100;
  let view: (() => Promise<void>) | undefined;
  const begin = performance.now();
  const started = await start(
    (call, response, request) => {
      if (call.path !== "/functions/v1/report-counts") return answerJson(200, [])(call, response, request);
      // The last report is sent while the site closes, when it accepts no more views.
      void Promise.resolve(view?.())
        .catch(() => undefined)
        .then(() => answerJson(200, { ok: true })(call, response, request));
    },
    { countReport: everyMs },
  );
  view = () => started.view(`/?${reportsTo(started.project).length}`);
  await started.view("/about");
  await expect.poll(() => reportsTo(started.project).length, { timeout: 60_000 }).toBeGreaterThan(3);
  const most = Math.ceil((performance.now() - begin) / everyMs);
  expect(reportsTo(started.project).length).toBeLessThanOrEqual(most);
});

it("drops a report that is rejected permanently, and continues with later ones", async () => {
  const { project, view } = await start(answerJson(400, { error: "invalid" }));
  const countOf = (path: string) => bodiesOf(project).filter(({ counts }) => path in counts.view).length;
  await expect.poll(() => countOf("/")).toBe(1);
  await view("/about");
  await expect.poll(() => countOf("/about")).toBe(1);
  expect(countOf("/")).toBe(1);
});

it("logs once that the functions reject its key", async () => {
  const { project, site } = await start(answerJson(403, { error: "unsigned" }));
  await expect.poll(() => reportsTo(project).length).toBeGreaterThan(2);
  expect(site.output().match(/"event":"setup\.site-key-refused"/g)).toHaveLength(1);
});

it("reports nothing to a project without SITE_KEY", async () => {
  const { project, site } = await start(answerJson(200, { ok: true }), { siteKey: "" });
  // The last report is sent while the site closes.
  await site.stop();
  expect(reportsTo(project)).toEqual([]);
});

it("stops while the project hangs", async () => {
  const { project, site } = await start(hang, { countReport: 60_000 });
  await site.stop();
  expect(reportsTo(project)).toHaveLength(1);
});
