import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { productMigrations } from "#supabase/embedded/migrations";
import { Visitor, filledContactForm } from "../../support/visitor";
import {
  type Answering,
  type StubProject,
  answerJson as json,
  answerPage,
  hang,
  hangUp,
  startStubProject,
} from "../support/stub-project";
import { type MonitoredProduct, startMonitored } from "../support/monitored-product";

const polling = { timeout: 60_000, interval: 20 };

/** The version that a project with all migrations reports. */
const newest = Object.keys(productMigrations)
  .map((path) => /(\d{14})_\w+\.sql$/.exec(path)?.[1] ?? "")
  .toSorted()
  .at(-1);

describe("with the embedded backend", () => {
  let product: MonitoredProduct;
  beforeAll(async () => {
    product = await startMonitored();
  });
  afterAll(async () => {
    await product.stop();
  });

  it("reports liveness, and keeps probes out of caches, log and sitemap", async () => {
    const answer = await fetch(`${product.url}/healthz`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe("ok\n");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await fetch(`${product.url}/readyz`, { method: "HEAD" })).headers.get("cache-control")).toBe("no-store");
    await fetch(`${product.url}/about`);
    await expect.poll(product.output).toContain('"route":"/about"');
    expect(product.output()).not.toMatch(/healthz|readyz/);
    const sitemap = await (await fetch(`${product.url}/sitemap.xml`)).text();
    expect(sitemap).toContain("/about");
    expect(sitemap).not.toMatch(/healthz|readyz/);
  });

  it("reports readiness publicly, and each part's state to the operator only", async () => {
    const answer = await fetch(`${product.url}/readyz`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('{"ready":true}\n');
    const readiness = async () => (await product.readiness()).parts;
    await expect.poll(readiness).toEqual({
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
  let product: MonitoredProduct;
  let stub: StubProject;
  beforeAll(async () => {
    stub = await startStubProject(hang);
    product = await startMonitored(stub.settings);
  });
  afterAll(async () => {
    await product?.stop();
    await stub?.close();
  });

  async function probe(listener: Answering) {
    stub.become(listener);
    const answer = await fetch(`${product.url}/readyz`);
    const text = await answer.text();
    const { status, parts } = await product.readiness();
    expect(JSON.stringify(parts)).not.toMatch(/sb_publishable|127\.0\.0\.1|http/);
    const { ready, backend, migrations } = parts;
    expect([answer.status, status]).toEqual(ready === true ? [200, 200] : [503, 503]);
    expect(text).toBe(`{"ready":${String(ready)}}\n`);
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${product.url}/`)).status).toBe(200);
    return { ready, backend, migrations };
  }
  it.each<[string, Answering, { ready: boolean; backend: string; migrations: string }]>([
    ["a healthy project", json(200, newest), { ready: true, backend: "reachable", migrations: "applied" }],
    [
      "a project without the migrations",
      json(404, { code: "PGRST202", message: "" }),
      { ready: false, backend: "reachable", migrations: "missing" },
    ],
    [
      "a project that rejects the key",
      json(401, { message: "Invalid API key" }),
      { ready: false, backend: "refused", migrations: "unknown" },
    ],
    [
      "a paused project",
      answerPage(540, "<h1>paused</h1>"),
      { ready: false, backend: "unreachable", migrations: "unknown" },
    ],
    ["a parked domain", json(200, { hello: "world" }), { ready: false, backend: "unreachable", migrations: "unknown" }],
    ["a project that hangs", hang, { ready: false, backend: "unreachable", migrations: "unknown" }],
    ["a project that hangs up", hangUp, { ready: false, backend: "unreachable", migrations: "unknown" }],
  ])("reports the state of %s", async (_name, listener, expected) => {
    expect(await probe(listener)).toEqual(expected);
  });
});

describe("a hosted project", () => {
  let product: MonitoredProduct | undefined;
  let stub: StubProject | undefined;
  afterEach(async () => {
    await product?.stop();
    await stub?.close();
  });

  it("is not ready while the breaker of its functions is open, and recovers afterwards", async () => {
    stub = await startStubProject((call, response, request) =>
      (call.path.startsWith("/rest/") ? json(200, newest) : json(503, {}))(call, response, request),
    );
    const { url, readiness } = (product = await startMonitored(stub.settings, { circuitReset: 1_000 }));
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    for (let i = 0; i < 4; i++) await new Visitor(url).post("/contact", filledContactForm);
    // The fifth failure opens the breaker, and each failed trial opens it again.
    const failAndRead = async () => {
      await new Visitor(url).post("/contact", filledContactForm);
      return [(await fetch(`${url}/readyz`)).status, (await readiness()).parts];
    };
    const parts = { ready: false, backend: "reachable", breakers: { rest: "closed", functions: "open" } };
    await expect.poll(failAndRead, polling).toMatchObject([503, parts]);
    await expect.poll(() => fetch(`${url}/readyz`).then(({ status }) => status), polling).toBe(200);
  });

  it("receives one call for any number of probes within a while, and none for /healthz", async () => {
    stub = await startStubProject(json(200, newest));
    product = await startMonitored(stub.settings, { probeReuse: 600_000 });
    const { url } = product;
    await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/healthz`)));
    expect(stub.calls).toEqual([]);
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/readyz`)));
    }
    expect(stub.calls).toHaveLength(1);
  });
});
