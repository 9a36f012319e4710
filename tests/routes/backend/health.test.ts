import { describe, expect, it } from "vitest";
import { productMigrations } from "#supabase/embedded/migrations";
import { findFreePort } from "../../support/free-port";
import type { TestSiteOptions } from "../../support/site";
import { filledContactForm } from "../../support/visitor";
import {
  type Answering,
  type StubProject,
  answerJson as json,
  answerPage,
  hang,
  hangUp,
} from "../support/stub-project";
import { useProject, useSite } from "../support/world";

const polling = { timeout: 60_000, interval: 20 };

/** The two newest migrations, and the version that a project with all of them reports. */
const [lastButOne = "", last = ""] = Object.keys(productMigrations)
  .map((path) => /(\d{14}_\w+)\.sql$/.exec(path)?.[1] ?? "")
  .toSorted()
  .slice(-2);
const versionOf = (name: string) => name.slice(0, 14);
const newest = versionOf(last);

/** A port of the operator, which shows more than the public response. */
const port = String(await findFreePort());

/** Starts a site with that port, whose every readiness request probes the backend. */
const useMonitored = (project?: StubProject, timeouts: TestSiteOptions["timeouts"] = {}) =>
  useSite(() => ({ METRICS_PORT: port, ...project?.settings }), {
    isWarm: true,
    timeouts: { probeReuse: 0, ...timeouts },
  });

/** Reads /readyz on the operator's port. */
async function readReadiness() {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  return { status: answer.status, parts: (await answer.json()) as Record<string, unknown> };
}

describe("with the embedded backend", () => {
  const product = useMonitored();

  it("reports liveness, and keeps probes out of caches, log and sitemap", async () => {
    const answer = await fetch(`${product.url}/healthz`);
    expect([answer.status, await answer.text()]).toEqual([200, "ok\n"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await fetch(`${product.url}/readyz`, { method: "HEAD" })).headers.get("cache-control")).toBe("no-store");
    await fetch(`${product.url}/about`);
    await expect.poll(product.output).toContain('"route":"/about"');
    expect(product.output()).not.toMatch(/healthz|readyz/);
  });

  it("reports readiness publicly, and each part's state to the operator only", async () => {
    const answer = await fetch(`${product.url}/readyz`);
    expect([answer.status, await answer.text()]).toEqual([200, '{"ready":true}\n']);
    await expect
      .poll(async () => (await readReadiness()).parts)
      .toEqual({
        ready: true,
        draining: false,
        pages: "warm",
        backend: "reachable",
        migrations: "applied",
        breakers: { rest: "closed", auth: "closed", functions: "closed" },
        disk: expect.stringMatching(/^(?:ok|low)$/),
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        postgresql: expect.stringMatching(/^18\.\d+$/),
      });
  });
});

describe("with a hosted project", () => {
  const stub = useProject(json(200, versionOf(lastButOne)));
  const product = useMonitored(stub);

  it("names a missing newest migration in the log, once", async () => {
    for (let probes = 0; probes < 2; probes += 1)
      expect((await readReadiness()).parts).toMatchObject({ ready: false, migrations: "missing" });
    const lines = product.output().match(/"backend\.migrations-missing".*/g);
    expect(lines).toEqual([expect.stringContaining(`"missing":"${last}","remedy"`)]);
    expect(lines?.[0]).toContain("supabase db push");
  });

  it.each<[string, Answering, string, string]>([
    ["a healthy project", json(200, newest), "reachable", "applied"],
    ["a project with a later build's migration", json(200, "29991231000000"), "reachable", "applied"],
    ["a project without the migrations", json(404, { code: "PGRST202", message: "" }), "reachable", "missing"],
    ["a project without their table", json(404, { code: "42P01", message: "no such table" }), "reachable", "missing"],
    ["a project without any record of them", json(200, null), "reachable", "missing"],
    ["a project that rejects the key", json(401, { message: "Invalid API key" }), "refused", "unknown"],
    ["a paused project", answerPage(540, "<h1>paused</h1>"), "unreachable", "unknown"],
    ["a parked domain", json(200, { hello: "world" }), "unreachable", "unknown"],
    ["a server that responds with words", json(200, "hello"), "unreachable", "unknown"],
    ["a project that hangs", hang, "unreachable", "unknown"],
    ["a project that hangs up", hangUp, "unreachable", "unknown"],
  ])("reports the state of %s", async (_name, listener, backend, migrations) => {
    stub.become(listener);
    const ready = migrations === "applied";
    const answer = await fetch(`${product.url}/readyz`);
    expect([answer.status, await answer.text()]).toEqual([ready ? 200 : 503, `{"ready":${ready}}\n`]);
    const { status, parts } = await readReadiness();
    expect([status, parts]).toEqual([ready ? 200 : 503, expect.objectContaining({ ready, backend, migrations })]);
    expect(JSON.stringify(parts)).not.toMatch(/sb_publishable|127\.0\.0\.1|http/);
    for (const path of ["/healthz", "/"]) expect((await fetch(product.url + path)).status).toBe(200);
  });
});

describe("with a hosted project whose functions fail", () => {
  const stub = useProject((call, response, request) =>
    (call.path.startsWith("/rest/") ? json(200, newest) : json(503, {}))(call, response, request),
  );
  const product = useMonitored(stub, { circuitReset: 1_000 });
  const readStatus = () => fetch(`${product.url}/readyz`).then(({ status }) => status);

  it("is not ready while the breaker of its functions is open, and recovers afterwards", async () => {
    expect(await readStatus()).toBe(200);
    for (let i = 0; i < 4; i += 1) await product.post("/contact", filledContactForm);
    // The fifth failure opens the breaker, and each failed trial opens it again.
    const failAndRead = async () => {
      await product.post("/contact", filledContactForm);
      return [await readStatus(), (await readReadiness()).parts];
    };
    const parts = { ready: false, backend: "reachable", breakers: { rest: "closed", functions: "open" } };
    await expect.poll(failAndRead, polling).toMatchObject([503, parts]);
    await expect.poll(readStatus, polling).toBe(200);
  });
});

describe("with probes that reuse a result", () => {
  const stub = useProject(json(200, newest));
  const product = useMonitored(stub, { probeReuse: 600_000 });
  const probe = (path: string) => Promise.all(Array.from({ length: 50 }, () => fetch(product.url + path)));

  it("receives one call for any number of probes within a while, and none for /healthz", async () => {
    await probe("/healthz");
    expect(stub.calls).toEqual([]);
    for (let round = 0; round < 2; round += 1) await probe("/readyz");
    expect(stub.calls).toHaveLength(1);
  });
});
