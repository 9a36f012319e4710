import { readdirSync } from "node:fs";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findFreePort } from "../support/free-port";
import { type Product, startProduct } from "../support/product";
import { sitePaths } from "./support/addresses";
import { exchangeOne } from "./support/exchange";
import { anyField } from "./support/headers";
import { requireQuietLog, share } from "./support/prove";
import { anyText } from "./support/texts";

const seed = Number(process.env.FUZZ_SEED ?? 20_261_126);
const requestCount = share(100_000);
const concurrency = 16;
const batchSize = 1_000;
/** Milliseconds until a request is given up. Only a complete one must get a response, even on a busy machine. */
const timeoutsMs = { hangsUp: 1, broken: 100, complete: 30_000 };

const under = (folder: string, address: string) => readdirSync(folder).map((name) => `${address}/${name}`);

/** One file of each kind in the build and `public`. */
const files = [
  ...under("public", ""),
  ...under("build/client/share", "/share"),
  ...under("build/client/assets", "/assets"),
];
const onePerKind = [...new Map(files.map((path) => [path.replace(/^(\/\w+\/)?.*\./, "$1."), path])).values()];
const otherPathsOf = {
  health: ["/healthz", "/readyz"],
  missing: ["/missing", "/assets/missing.js", "/share/", "/assets/", "/__proto__"],
  spellings: ["/About/", "//about", "/contact?", "/%", "/%00", "*", ""],
  data: ["/_root.data", "/about.data", "/contact.data", "/admin.data"],
  parameters: ["/favicon.ico?x", "/about?utm_source=a", "/about?cookie-preferences=open", "/network?token=x"],
};
const anyPath = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...onePerKind) },
  { weight: 5, arbitrary: fc.constantFrom(...sitePaths) },
  { weight: 2, arbitrary: fc.constantFrom(...Object.values(otherPathsOf).flat()) },
  anyText.map((text) => `/${text}`),
);
const anyMethod = fc.oneof(
  { weight: 12, arbitrary: fc.constant("GET") },
  { weight: 2, arbitrary: fc.constant("HEAD") },
  { weight: 2, arbitrary: fc.constant("POST") },
  { weight: 1, arbitrary: fc.constantFrom("OPTIONS", "PUT", "DELETE", "TRACE", "CONNECT", "PURGE", "M-SEARCH", "get") },
);
const onceIn = (times: number) => fc.nat({ max: times - 1 }).map((drawn) => drawn === 0);

/** Headers that decide where a request ends, or whether it is valid. */
const framing = /^(?:content-length|transfer-encoding|trailer)$/i;
const valid = { path: /^[\x21-\x7e]+$/, name: /^[\w-]+$/, value: /^[\t\x20-\x7e\x80-\xff]*$/ };

/** Requests as raw bytes, for any kind of file or page, with one to three headers, possibly of the same name. */
const rawRequests = fc
  .record({
    isMetrics: onceIn(41),
    method: anyMethod,
    path: anyPath,
    version: fc.oneof({ weight: 9, arbitrary: fc.constant("1.1") }, fc.constantFrom("1.0", "1.2", "2.0")),
    fields: fc.array(fc.oneof({ weight: 40, arbitrary: anyField }, fc.tuple(anyText, anyText)), {
      minLength: 1,
      maxLength: 3,
    }),
    hangsUp: onceIn(20),
  })
  .map(({ isMetrics, method, path, version, fields, hangsUp }) => {
    const body = method === "POST" ? "name=Ada" : "";
    const form = { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": String(body.length) };
    const usual = Object.entries({ Host: "localhost", Connection: "close", ...(body && form) });
    const given = new Set(fields.map(([name]) => name.toLowerCase()));
    const all = [...usual.filter(([name]) => !given.has(name.toLowerCase())), ...fields];
    const head = all.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    const target = isMetrics && path.length % 2 ? "/metrics" : path;
    const isFramed = fields.every(
      ([name, value]) => !framing.test(name) && valid.name.test(name) && valid.value.test(value),
    );
    const isKnown =
      /^[A-Z-]+$/.test(method) && method !== "CONNECT" && /^1\.[01]$/.test(version) && valid.path.test(path);
    const bytes = Buffer.from(`${method} ${target} HTTP/${version}\r\n${head}\r\n${body}`, "latin1");
    const kind: keyof typeof timeoutsMs = hangsUp ? "hangsUp" : isFramed && isKnown ? "complete" : "broken";
    return { isMetrics, method, bytes, kind };
  });

let product: Product;
let metricsPort: number;

beforeAll(async () => {
  metricsPort = await findFreePort();
  const settings = { METRICS_PORT: String(metricsPort), TRUSTED_PROXIES: "1" };
  // `/readyz` honestly says 503 if its probe is late, as on a starved machine.
  product = await startProduct(settings, { timeouts: { probe: 60_000 } });
});
afterAll(() => product.stop());

it(`generated headers on every kind of file and page cause no failure or crash in ${requestCount} requests`, async () => {
  const statuses: Record<string, number> = {};
  for (let sent = 0; sent < requestCount; sent += batchSize) {
    const numRuns = Math.min(batchSize, requestCount - sent);
    const next = fc.sample(rawRequests, { seed: seed + sent, numRuns }).values();
    const workers = Array.from({ length: concurrency }, async () => {
      for (const request of next) {
        const status = await sendAndCheck(request);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    });
    await Promise.all(workers);
  }
  // The original process still runs and responds: it was not replaced.
  expect(process.kill(product.pid, 0)).toBe(true);
  expect((await fetch(product.url)).status).toBe(200);
  requireQuietLog(product);
  const figures = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(figures).toContain("\nsite_request_failures_total 0\n");
  for (const status of ["200", "304", "308", "400", "404", "405", "431"]) expect(statuses[status]).toBeGreaterThan(0);
});

type RawRequest = typeof rawRequests extends fc.Arbitrary<infer Request> ? Request : never;

async function sendAndCheck({ isMetrics, method, bytes, kind }: RawRequest): Promise<number> {
  const port = isMetrics ? metricsPort : Number(new URL(product.url).port);
  const { status, text } = await exchangeOne(port, bytes, method, timeoutsMs[kind]);
  const isQueues = status === 503 && /^retry-after: 5\r$/im.test(text);
  const isFailure = (status >= 500 && !isQueues) || (status === 0 && kind === "complete");
  const isPart = status === 206 || status === 416 || /^(?:accept-ranges|content-range):/im.test(text);
  if (isFailure || isPart)
    throw new Error(`${status} to ${JSON.stringify(bytes.toString("latin1").slice(0, 2_000))} on port ${port}`);
  return status;
}
