import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPrometheus } from "~/server/observability/prometheus.server";
import { filledDataRightsForm } from "../../support/data-rights";
import { findFreePort } from "../../support/free-port";
import { type TestSite, startSite, testAdmin } from "../../support/site";
import { Visitor, filledContactForm } from "../../support/visitor";
import { setUpSecondFactor } from "../support/authenticator";
import { choose } from "../support/consent";
import { requestRaw } from "../support/raw-response";
import { answerJson, startStubProject } from "../support/stub-project";

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

const attempt = (step: string, result: string) => `site_sign_in_attempts_total{step="${step}",result="${result}"}`;

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

  it("count session events as the log does, without the account", async () => {
    const admin = new Visitor(product.url);
    await admin.signIn();
    await admin.post("/admin/account/second-factor", { intent: "waive" });
    await setUpSecondFactor(admin);
    await admin.post("/admin/account/second-factor", { intent: "off" });
    await admin.post("/logout", {});
    const figures = await readFigures(address);
    const lines = product
      .output()
      .split("\n")
      .filter((line) => line.includes('"event":"session.event"'));
    for (const kind of ["SIGNED_IN", "USER_UPDATED", "MFA_CHALLENGE_VERIFIED", "TOKEN_REFRESHED", "SIGNED_OUT"]) {
      expect(figures.get(`site_session_events_total{event="${kind}"}`), kind).toBe(1);
      expect(
        lines.filter((line) => line.includes(`"kind":"${kind}"`)),
        kind,
      ).toHaveLength(1);
    }
    expect(lines.join()).not.toContain(testAdmin.email);
  });

  it("count sign-in attempts by step and result as the log does, without the account", async () => {
    const admin = new Visitor(product.url);
    const before = (await readFigures(address)).get(attempt("password", "succeeded")) ?? 0;
    const wrong = { email: "somebody@firm.example", password: "not the passphrase" };
    for (let tries = 0; tries < 6; tries++) await new Visitor(product.url).signIn(wrong);
    await admin.signIn();
    await setUpSecondFactor(admin);
    const challenged = new Visitor(product.url);
    await challenged.signIn();
    await challenged.post("/login/second-factor", { intent: "code", code: "000000" });
    await challenged.post("/login/second-factor", { intent: "recovery", code: "none" });
    await admin.post("/admin/account/second-factor", { intent: "off" });
    const figures = await readFigures(address);
    expect(figures.get(attempt("password", "succeeded"))).toBe(before + 2);
    expect(figures.get(attempt("password", "wrong"))).toBe(5);
    expect(figures.get(attempt("password", "throttled"))).toBe(1);
    expect(figures.get(attempt("code", "wrong"))).toBe(1);
    expect(figures.get(attempt("recovery-code", "wrong"))).toBe(1);
    const lines = product
      .output()
      .split("\n")
      .filter((line) => line.includes('"sign-in.attempt"'));
    expect(lines.at(-1)).toMatch(/"event":"sign-in\.attempt","step":"recovery-code","result":"wrong"\}$/);
    expect(lines.join()).not.toMatch(/@|passphrase|000000/);
  });

  it("count messages, data rights requests and cookie decisions by outcome", async () => {
    const before = await readFigures(address);
    expect(before.get('site_submissions_total{outcome="failed"}')).toBe(0);
    const visitor = new Visitor(product.url);
    await visitor.post("/contact", filledContactForm);
    await visitor.post("/contact", { ...filledContactForm, email: "robot@spam.example", topic: "x" });
    await visitor.post("/contact", { ...filledContactForm, email: "no address" });
    await visitor.post("/data-rights", filledDataRightsForm);
    await choose(visitor, "accept");
    await choose(visitor, "reject");
    const figures = await readFigures(address);
    const of = (name: string) => (figures.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(of('site_submissions_total{outcome="accepted"}')).toBe(1);
    expect(of('site_submissions_total{outcome="quarantined"}')).toBe(1);
    expect(of('site_submissions_total{outcome="failed"}')).toBe(0);
    expect(of('site_data_rights_requests_total{outcome="accepted"}')).toBe(1);
    const choices = (allowed: boolean) =>
      of(`site_consent_choices_total{source="banner",analytics="${allowed}",marketing="${allowed}"}`);
    expect([choices(true), choices(false)]).toEqual([1, 1]);
  });

  it("measure the process: memory, processor time and event loop lag", async () => {
    const figures = await readFigures(address);
    expect(figures.get("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(figures.get("nodejs_heap_used_bytes")).toBeGreaterThan(1_000_000);
    expect(figures.get("process_cpu_seconds_total")).toBeGreaterThan(0);
    for (const quantile of ["0.5", "0.99", "1"]) {
      const lag = figures.get(`nodejs_eventloop_lag_seconds{quantile="${quantile}"}`);
      expect(lag, quantile).toBeGreaterThanOrEqual(0);
    }
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

  it("count records that could not be stored as failed", async () => {
    const stub = await startStubProject(answerJson(503, {}));
    const port = await findFreePort();
    const troubled = await startSite({ ...stub.settings, METRICS_PORT: String(port) });
    const visitor = new Visitor(troubled.url);
    await visitor.post("/contact", filledContactForm);
    await visitor.post("/data-rights", filledDataRightsForm);
    const figures = await readFigures(`http://127.0.0.1:${port}`);
    expect(figures.get('site_submissions_total{outcome="failed"}')).toBe(1);
    expect(figures.get('site_data_rights_requests_total{outcome="failed"}')).toBe(1);
    await troubled.stop();
    stub.close();
  });
});

it("counts the requests that a limit per client rejects", async () => {
  const metrics = createPrometheus();
  expect(await metrics.read()).toContain("\nsite_http_rate_limited_total 0\n");
  for (const status of [429, 404, 429])
    metrics.countRequest({ route: "/contact", status, durationMs: 1, prefetch: false });
  expect(await metrics.read()).toContain("\nsite_http_rate_limited_total 2\n");
});

describe("the outbox", () => {
  it("is measured by one query a scrape, and its failure hides no other metric", async () => {
    const metrics = createPrometheus();
    let queries = 0;
    metrics.measureOutbox(async () => {
      queries++;
      return { waiting: 3, givenUp: 1, oldestSeconds: 42.5, retentionSeconds: 60 };
    });
    const text = await metrics.read();
    expect(text).toContain("# TYPE site_outbox_waiting gauge\nsite_outbox_waiting 3\n");
    expect(text).toContain("\nsite_outbox_given_up 1\n");
    expect(text).toContain("\nsite_outbox_oldest_seconds 42.5\n");
    expect(queries).toBe(1);
    metrics.measureOutbox(() => Promise.reject(new Error("away")));
    const without = await metrics.read();
    expect(without).not.toContain("site_outbox");
    expect(without).toContain("site_submissions_total");
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
    if (line === "" || /^# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge|histogram))$/.test(line)) continue;
    const [, name = "", value = ""] =
      /^([a-z_]+(?:\{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*\})?) (\d+(?:\.\d+)?(?:e[+-]\d+)?)$/.exec(line) ?? [];
    expect(name, line).not.toBe("");
    expect(figures.has(name), line).toBe(false);
    figures.set(name, Number(value));
  }
  return figures;
}
