import { describe, expect, it } from "vitest";
import { countRefusals, createTroubleNotes } from "~/server/backend/trouble-notes.server";
import { createPrometheus } from "~/server/observability/prometheus.server";
import { findFreePort } from "../../support/free-port";
import { Visitor } from "../../support/visitor";
import { setUpSecondFactor } from "../support/authenticator";
import { requestRaw } from "../support/raw-response";
import { signInAdmin, useSite } from "../support/world";

const port = String(await findFreePort());
const address = `http://127.0.0.1:${port}`;
const product = useSite({ METRICS_PORT: port });

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
    expect([...figures.keys()].join()).toContain('route="/admin/requests/:requestId"');
    // The library's own figure.
    expect(figures.get("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect([...figures.keys()].join("\n")).not.toMatch(/nobody|some-id|secret|such/);
  });

  it("measure durations in seconds, in buckets", async () => {
    const begin = performance.now();
    await new Visitor(product.url).get("/value");
    const figures = await readOnceCounted('site_http_request_duration_seconds_count{route="/value"}');
    const buckets = [...figures].filter(([name]) => /_bucket\{.*route="\/value"/.test(name)).map(([, count]) => count);
    expect([buckets.length > 5, buckets.at(-1)]).toEqual([true, 1]);
    const sum = figures.get('site_http_request_duration_seconds_sum{route="/value"}') ?? 0;
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThan((performance.now() - begin) / 1000);
  });

  it("are not on the public port", async () => {
    expect((await fetch(`${product.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${address}/`)).status).toBe(404);
    expect((await fetch(`${address}/metrics`, { method: "POST" })).status).toBe(404);
  });

  it("are served for local Host headers and refused for foreign domains (DNS rebinding)", async () => {
    const getStatus = async (host: string) => (await requestRaw(`${address}/metrics`, { Host: host })).status;
    for (const own of [`127.0.0.1:${port}`, "127.0.0.1", `[::1]:${port}`, `localhost:${port}`, `site:${port}`])
      expect([own, await getStatus(own)]).toEqual([own, 200]);
    for (const foreign of ["attacker.example", `attacker.example:${port}`, "127.0.0.1.attacker.example", "a b", "."])
      expect([foreign, await getStatus(foreign)]).toEqual([foreign, 421]);
    expect((await requestRaw(`${address}/readyz`, { Host: "attacker.example" })).text).not.toContain("ready");
  });
});

it("logs session events and attempts to sign in, without the account", async () => {
  for (let tries = 0; tries < 6; tries++)
    await new Visitor(product.url).signIn({ email: "somebody@firm.example", password: "not the passphrase" });
  const admin = await signInAdmin(product);
  await admin.post("/admin/account/second-factor", { intent: "waive" });
  await setUpSecondFactor(admin);
  const challenged = await signInAdmin(product);
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

/** Reads metrics in the Prometheus text format, whose names are unique. */
async function readFigures(from: string): Promise<Map<string, number>> {
  const answer = await fetch(`${from}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const lines = (await answer.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const figures = lines.map((line): [string, number] => [line.replace(/ \S+$/, ""), Number(line.split(" ").at(-1))]);
  expect(new Set(figures.map(([name]) => name)).size).toBe(figures.length);
  return new Map(figures);
}
