import { afterEach, expect, it } from "vitest";
import { type TestSite, startSite } from "../../support/site";
import { type StubProject, answerJson, hang, hangUp, startStubProject } from "../support/stub-project";

const chrome = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36" };
const key = "k".repeat(32);
const timeouts = { countReport: 50, circuitReset: 50 };

let site: TestSite | undefined;
let stub: StubProject | undefined;

afterEach(async () => {
  await site?.stop();
  await stub?.close();
});

interface Report {
  id: string;
  counts: { view: Record<string, number> };
}

const reportsTo = (project: StubProject) => project.calls.filter(({ path }) => path === "/functions/v1/report-counts");
const bodiesOf = (project: StubProject) => reportsTo(project).map(({ body }) => JSON.parse(body) as Report);

it("keeps counts during an outage, and counts nothing twice after a lost response", async () => {
  stub = await startStubProject(answerJson(503, { error: "unavailable" }));
  site = await startSite({ ...stub.settings, SITE_KEY: key }, { timeouts });
  await (await fetch(`${site.url}/`, { headers: chrome })).text();
  const project = stub;
  await expect.poll(() => reportsTo(project).length).toBeGreaterThan(1);
  stub.become(hangUp);
  await (await fetch(`${site.url}/about`, { headers: chrome })).text();
  const callCount = reportsTo(stub).length;
  await expect.poll(() => reportsTo(project).length).toBeGreaterThan(callCount);
  stub.become(answerJson(200, { ok: true }));
  const counted = () => Object.assign({}, ...bodiesOf(project).map(({ counts }) => counts.view)) as object;
  await expect.poll(counted).toEqual({ "/": 1, "/about": 1 });

  const bodies = bodiesOf(stub);
  const [first] = bodies;
  // The same id until the report is confirmed, then another.
  expect(new Set(bodies.filter(({ counts }) => "/" in counts.view).map(({ id }) => id))).toEqual(new Set([first?.id]));
  expect(new Set(bodies.map(({ id }) => id)).size).toBe(2);
  expect(reportsTo(stub).every(({ headers }) => /^[\w-]{43}$/.test(String(headers["x-site-signature"])))).toBe(true);
  expect(site.output()).toContain('"event":"counts.unreported"');
  expect(site.output()).not.toContain(key);
});

it("holds a view during a report for the next period, without additional calls", async () => {
  const everyMs = 100;
  let views = 0;
  const view = () => fetch(`${site?.url}/?${(views += 1)}`, { headers: chrome });
  stub = await startStubProject((call, response, request) => {
    if (call.path !== "/functions/v1/report-counts") return answerJson(200, [])(call, response, request);
    // The last report is sent while the site closes, when it accepts no more views.
    void view()
      .catch(() => undefined)
      .then(() => answerJson(200, { ok: true })(call, response, request));
  });
  site = await startSite({ ...stub.settings, SITE_KEY: key }, { timeouts: { ...timeouts, countReport: everyMs } });
  await view();
  const begin = performance.now();
  const project = stub;
  await expect.poll(() => reportsTo(project).length, { timeout: 60_000 }).toBeGreaterThan(3);
  expect(reportsTo(stub).length).toBeLessThanOrEqual(Math.ceil((performance.now() - begin) / everyMs));
});

it.each([
  ["an empty body, like a gateway without that path", ""],
  ["a foreign body", "{}"],
])("treats a 200 with %s as not reported", async (_name, body) => {
  stub = await startStubProject((_call, response) => void response.writeHead(200).end(body));
  site = await startSite({ ...stub.settings, SITE_KEY: key }, { timeouts });
  await (await fetch(`${site.url}/`, { headers: chrome })).text();
  const project = stub;
  await expect.poll(() => reportsTo(project).length).toBeGreaterThan(1);
  expect(new Set(bodiesOf(stub).map(({ id }) => id)).size).toBe(1);
  expect(site.output()).toContain('"event":"counts.unreported"');
});

it("drops a report that is rejected permanently, and continues with later ones", async () => {
  stub = await startStubProject(answerJson(400, { error: "invalid" }));
  site = await startSite({ ...stub.settings, SITE_KEY: key }, { timeouts });
  const project = stub;
  for (const path of ["/", "/about"]) {
    await (await fetch(site.url + path, { headers: chrome })).text();
    await expect.poll(() => bodiesOf(project).filter(({ counts }) => path in counts.view).length).toBe(1);
  }
});

it("logs once that the functions reject its key", async () => {
  stub = await startStubProject(answerJson(403, { error: "unsigned" }));
  site = await startSite({ ...stub.settings, SITE_KEY: key }, { timeouts });
  await (await fetch(`${site.url}/`, { headers: chrome })).text();
  const project = stub;
  await expect.poll(() => reportsTo(project).length).toBeGreaterThan(2);
  expect(site.output().match(/"event":"setup\.site-key-refused"/g)).toHaveLength(1);
});

it("reports nothing to a project without SITE_KEY", async () => {
  stub = await startStubProject(answerJson(200, { ok: true }));
  site = await startSite(stub.settings, { timeouts });
  await (await fetch(`${site.url}/`, { headers: chrome })).text();
  // The last report is sent while the site closes.
  await site.stop();
  site = undefined;
  expect(reportsTo(stub)).toEqual([]);
});

it("stops while the project hangs", async () => {
  stub = await startStubProject(hang);
  site = await startSite({ ...stub.settings, SITE_KEY: key }, { timeouts: { countReport: 60_000 } });
  await (await fetch(`${site.url}/`, { headers: chrome })).text();
  await site.stop();
  expect(reportsTo(stub)).toHaveLength(1);
  site = undefined;
});
