import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import * as fc from "fast-check";
import { afterAll, beforeAll } from "vitest";
import { cookies } from "~/content/cookie-registry";
import { isEverything } from "../../support/everything";
import type { RunningSite } from "../../support/product";
import { startSite, type TestSite } from "../../support/site";
import { asHeaderText } from "./texts";

/** A request that an anonymous client may send. */
export interface Attempt {
  method: "GET" | "POST";
  /** path and query, percent-encoded */
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/**
 * Sends it on a persistent connection. A POST carries our own Origin.
 * @throws when the connection breaks before the response is complete: no input may cause that
 */
export async function ask(url: string, { method, path, headers = {}, body }: Attempt) {
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, asHeaderText(value)]));
  const own = method === "POST" ? { Origin: url, "Content-Length": body?.byteLength ?? 0 } : {};
  const call = request(url, { path, method, agent, headers: { ...own, ...sent } });
  call.end(body);
  const [response] = (await once(call, "response")) as [IncomingMessage];
  const { statusCode: status = 0, headers: received } = response;
  return { status, headers: received, body: (await buffer(response)).toString("utf8") };
}

/** Number of concurrent attempts, so that requests also interfere with each other. */
const concurrency = 10;

/** A fixed seed unless FUZZ_SEED gives another: a test that fails must fail again. */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);

/**
 * Returns this run's part of a full run: all with `npm run verify`, a hundredth with `npm test`. @returns a multiple of
 *   ten
 */
export function share(count: number): number {
  return isEverything ? count : Math.max(10 * Math.round(count / 1_000), 20);
}

/** Registers hooks that start a site for a file, and stop it. @returns the site, filled before the first test */
export function useFuzzedSite(): TestSite {
  const site = {} as TestSite;
  beforeAll(async () => void Object.assign(site, await startSite()));
  afterAll(() => site.stop?.());
  return site;
}

/**
 * Sends this run's share of that many attempts, ten at a time, and checks every response.
 * @throws with the attempt that failed, and the seed to repeat it
 */
export async function checkAttempts(product: RunningSite, attempts: fc.Arbitrary<Attempt>, count: number) {
  const batch = fc.array(attempts, { minLength: concurrency, maxLength: concurrency });
  const property = fc.asyncProperty(batch, async (some) => {
    await Promise.all(some.map((attempt) => checkAttempt(product, attempt)));
  });
  // A failure names its attempt. Shrinking ten concurrent attempts would take long and find no smaller one.
  const result = await fc.check(property, { numRuns: share(count) / concurrency, seed, endOnFailure: true });
  if (result.failed)
    throw new Error(`Attempts ${result.counterexamplePath} of FUZZ_SEED=${seed}`, { cause: result.errorInstance });
  requireQuietLog(product);
}

async function checkAttempt(product: RunningSite, attempt: Attempt): Promise<void> {
  const { method, path, headers = {}, body } = attempt;
  const text = JSON.stringify(body?.toString("latin1").slice(0, 600) ?? "");
  const sent = `${method} ${path} ${JSON.stringify(headers)} ${text}`;
  const answer = await ask(product.url, attempt).catch((cause: unknown) => {
    throw new Error(`${sent}\nbroke the connection`, { cause });
  });
  try {
    requireSafeResponse(answer);
  } catch (cause) {
    throw new Error(`${sent}\ngot ${answer.status}`, { cause });
  }
}

const ownCookies = new Set<string>(Object.values(cookies).map(({ name }) => name));

/**
 * Checks the rules for every response to any input: no server error, no redirect to another site, no injected cookie or
 * header. A page may show its input as text but never as an element.
 * @throws Error that names the violated rule
 */
export function requireSafeResponse({ status, headers, body }: Awaited<ReturnType<typeof ask>>): void {
  if (status < 200 || status >= 500) throw new Error(`status ${status}`);
  const { location } = headers;
  if (location !== undefined && !/^\/(?![/\\])[\x21-\x7e]*$/.test(location)) throw new Error(`Location ${location}`);
  if (!headers["content-security-policy"]?.includes("default-src 'none'"))
    throw new Error("no Content-Security-Policy");
  if (headers["x-content-type-options"] !== "nosniff") throw new Error("no nosniff");
  for (const line of headers["set-cookie"] ?? []) {
    const name = line.slice(0, line.indexOf("=")).replace(/\.\d+$/, "");
    if (!ownCookies.has(name) && !line.includes("Max-Age=0")) throw new Error(`a cookie ${name}`);
  }
  if (!headers["content-type"]?.startsWith("text/html")) return;
  const element = ["<script>alert(1)", "<img src=x", "<svg onload"].find((trick) => body.includes(trick));
  if (element) throw new Error(`the element ${element}`);
}

/** Requires that no input made the product log a failure of its own or crash. */
export function requireQuietLog(product: RunningSite): void {
  const failures = product
    .output()
    .split("\n")
    .filter((line) => line.includes('"level":"error"') || /^\s+at /.test(line));
  if (failures.length > 0) throw new Error(`The product logged:\n${failures.slice(0, 5).join("\n")}`);
}
