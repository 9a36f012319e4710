import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countRefusals, createTroubleNotes } from "~/server/backend/trouble-notes.server";
import { createPrometheus } from "~/server/observability/prometheus.server";
import { findFreePort } from "../../support/free-port";
import { type TestSite, startSite } from "../../support/site";
import { Visitor } from "../../support/visitor";
import { setUpSecondFactor } from "../support/authenticator";
import { requestRaw } from "../support/raw-response";

let product: TestSite;
let address: string;

beforeAll(async () => {
  const port = await findFreePort();
  address = `http://127.0.0.1:${port}`;
  product = await startSite({ METRICS_PORT: String(port) });
});

afterAll(async () => {
  await product.stop();
});

describe("metrics for Prometheus", () => {
  it("count requests by route pattern and status class only", async () => {
    const visitor = new Visitor(product.url);
    const paths = ["/about", "/about", "/About/", "/nobody@firm.example", "/no/such/page", "/admin/requests/some-id"];
    for (const path of paths) await visitor.get(`${path}?token=secret`);
    await visitor.get("/favicon.svg");
    const figures = await readOnceCounted('site_http_requests_total{route="(file)",status="2xx"}');
    expect(figures.get('site_http_requests_total{route="/about",status="2xx"}')).toBe(2);
    expect(figures.get('site_http_requests_total{route="(redirect)",status="3xx"}')).toBe(1);
    expect(figures.get('site_http_requests_total{route="/*",status="4xx"}')).toBe(2);
    expect(figures.get('site_http_requests_total{route="(file)",status="2xx"}')).toBe(1);
    const requests = [...figures.keys()].filter((name) => name.includes("/admin/requests/:requestId"));
    expect(requests.length).toBeGreaterThan(0);
    expect([...figures.keys()].join("\n")).not.toMatch(/nobody|some-id|secret|such/);
  });

  it("measure durations in cumulative buckets", async () => {
    const begin = performance.now();
    await new Visitor(product.url).get("/value");
    const figures = await readOnceCounted('site_http_request_duration_seconds_count{route="/value"}');
    const buckets = [...figures].filter(([name]) => /_bucket\{.*route="\/value"/.test(name)).map(([, count]) => count);
    expect(buckets.length).toBeGreaterThan(5);
    expect(buckets).toEqual(buckets.toSorted((a, b) => a - b));
    expect(buckets.at(-1)).toBe(1);
    expect(figures.get('site_http_request_duration_seconds_count{route="/value"}')).toBe(1);
    const sum = figures.get('site_http_request_duration_seconds_sum{route="/value"}') ?? 0;
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThan((performance.now() - begin) / 1000);
  });

  it("measure the process by the library's own metrics", async () => {
    const figures = await readFigures(address);
    expect(figures.get("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(figures.get("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(figures.get("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThanOrEqual(0);
  });

  it("are not on the public port", async () => {
    expect((await fetch(`${product.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${address}/`)).status).toBe(404);
    expect((await fetch(`${address}/metrics`, { method: "POST" })).status).toBe(404);
  });

  it("are served for local Host headers and refused for foreign domains (DNS rebinding)", async () => {
    const { port } = new URL(address);
    const getStatus = async (host: string) => (await requestRaw(`${address}/metrics`, { Host: host })).status;
    for (const own of [`127.0.0.1:${port}`, "127.0.0.1", `[::1]:${port}`, `localhost:${port}`, `site:${port}`])
      expect([own, await getStatus(own)]).toEqual([own, 200]);
    for (const foreign of ["attacker.example", `attacker.example:${port}`, "127.0.0.1.attacker.example", "a b", "."])
      expect([foreign, await getStatus(foreign)]).toEqual([foreign, 421]);
    expect((await requestRaw(`${address}/readyz`, { Host: "attacker.example" })).text).not.toContain("ready");
  });
});

it("logs session events and attempts to sign in, without the account", async () => {
  const admin = new Visitor(product.url);
  for (let tries = 0; tries < 6; tries++)
    await new Visitor(product.url).signIn({ email: "somebody@firm.example", password: "not the passphrase" });
  await admin.signIn();
  await admin.post("/admin/account/second-factor", { intent: "waive" });
  await setUpSecondFactor(admin);
  const challenged = new Visitor(product.url);
  await challenged.signIn();
  await challenged.post("/login/second-factor", { intent: "code", code: "000000" });
  await challenged.post("/login/second-factor", { intent: "recovery", code: "none" });
  await admin.post("/admin/account/second-factor", { intent: "off" });
  await admin.post("/logout", {});
  const lines = product
    .output()
    .split("\n")
    .filter((line) => /"event":"(?:session\.event|sign-in\.attempt)"/.test(line));
  for (const kind of ["SIGNED_IN", "USER_UPDATED", "MFA_CHALLENGE_VERIFIED", "TOKEN_REFRESHED", "SIGNED_OUT"])
    expect(lines.join(), kind).toContain(`"kind":"${kind}"`);
  const attempts = lines.flatMap((line) => /"step":"([\w-]+)","result":"(\w+)"/.exec(line)?.slice(1).join(" ") ?? []);
  for (const [attempt, times] of Object.entries({
    "password wrong": 5,
    "password throttled": 1,
    "password succeeded": 2,
    "code wrong": 1,
    "recovery-code wrong": 1,
  }))
    expect([attempt, attempts.filter((each) => each === attempt).length]).toEqual([attempt, times]);
  expect(lines.join()).not.toMatch(/@|passphrase|000000/);
});

it("counts the visits that a limit refuses, by cause", async () => {
  const metrics = createPrometheus();
  const counted = countRefusals(metrics, createTroubleNotes());
  expect(await metrics.read()).toContain('\nsite_refused_total{cause="client-limit"} 0\n');
  for (const status of [429, 404, 429]) counted.countRequest({ route: "/contact", status, durationMs: 1 });
  counted.countRefusal("renders");
  const text = await metrics.read();
  expect(text).toContain('\nsite_refused_total{cause="client-limit"} 2\n');
  expect(text).toContain('\nsite_refused_total{cause="renders"} 1\n');
});

describe("the outbox", () => {
  it("is measured by one query a scrape, and its failure hides no other metric", async () => {
    const metrics = createPrometheus();
    let queries = 0;
    const outbox = async () => {
      queries++;
      return { oldestSeconds: 42.5, retentionSeconds: 60 };
    };
    metrics.measure({ outbox });
    const text = await metrics.read();
    expect(text).toContain("# TYPE site_outbox_oldest_seconds gauge\nsite_outbox_oldest_seconds 42.5\n");
    expect(queries).toBe(1);
    metrics.measure({ outbox: () => Promise.reject(new Error("away")) });
    const without = await metrics.read();
    expect(without).not.toContain("site_outbox");
    expect(without).toContain("site_request_failures_total");
  });
});

/**
 * Waits for the count of a request: the site counts it when its connection has the response, perhaps a moment after
 * the visitor has it.
 */
async function readOnceCounted(name: string): Promise<Map<string, number>> {
  await expect.poll(async () => (await readFigures(address)).get(name)).toBe(1);
  return readFigures(address);
}

/** Reads metrics and requires the Prometheus text format: each line is a comment, or a name, labels and a number. */
async function readFigures(from: string): Promise<Map<string, number>> {
  const answer = await fetch(`${from}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await answer.text();
  expect(text.endsWith("\n")).toBe(true);
  const figures = new Map<string, number>();
  for (const line of text.trimEnd().split("\n")) {
    // The library leaves a blank line between metrics, which Prometheus skips.
    if (line === "" || /^# (HELP [a-z\d_]+ .+|TYPE [a-z\d_]+ (counter|gauge|histogram))$/.test(line)) continue;
    const [, name = "", value = ""] =
      /^([a-z\d_]+(?:\{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*\})?) (Nan|\d+(?:\.\d+)?(?:e[+-]\d+)?)$/.exec(line) ?? [];
    expect(name, line).not.toBe("");
    expect(figures.has(name), line).toBe(false);
    figures.set(name, Number(value));
  }
  return figures;
}
