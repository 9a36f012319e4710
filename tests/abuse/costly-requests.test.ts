import { afterAll, beforeAll, expect, it } from "vitest";
import { type Product, startProduct } from "../support/product";
import { flood, getLines, last } from "./flood";
import { expectBystandersServed } from "./watch-site";

let product: Product;
beforeAll(async () => {
  product = await startProduct({ POST_RATE_LIMIT: "20" }, { timeouts: "production" });
});
afterAll(() => product.stop());

/** Cookie names that the site clears when analytics are not allowed. */
const analyticsCookies = (count: number) => Array.from({ length: count }, (_, number) => `_ga_${number}=`).join(";");
const letters = (letter: string, count = 15_700) => letter.repeat(count);

it.each([
  ["1,200 analytics cookies", getLines("/a/b/c/d", { Cookie: analyticsCookies(1_200) }), "431"],
  ["8 kB of analytics cookies", getLines("/a/b/c/d", { ...last, Cookie: analyticsCookies(900) }), "404"],
  ["a manifest request with many paths", getLines(`/__manifest?version=1&p=${letters("/", 1_900)}`, last), "404"],
  ["slashes before a file's suffix", getLines(`/${letters("/")}.x`), "414"],
  ["the largest accepted number of slashes", getLines(`/${letters("/", 500)}.x`, last), "308"],
  ["a POST to a path of slashes", getLines(`/${letters("/")}x`).replace("GET", "POST"), "414"],
  ["70 header fields", getLines("/", Object.fromEntries([...letters("x", 70)].map((x, n) => [x + n, "y"]))), "431"],
  ["18 kB of header fields", getLines("/", { Accept: letters("a", 9_000), Cookie: letters("b", 9_000) }), "431"],
  ["a long query", getLines(`/?x=${letters("y", 3_000)}`), "414"],
])("responds cheaply to %s", async (_name, bytes, status) => {
  await expectBystandersServed(product, async () => {
    const { statuses, largestHead } = await flood(product.url, bytes, { connections: 12, quietMs: 1_500 });
    expect(statuses).toEqual({ [status]: 12 });
    expect(largestHead).toBeLessThan(20_000);
  });
});

const rendered = "/?cookie-preferences=open";

it("leaves the site available when 30 connections pipeline 1,000 requests for rendered pages each", async () => {
  const attack = () => flood(product.url, getLines(rendered).repeat(1_000), { connections: 30, maxMs: 20_000 });
  const { statuses } = await expectBystandersServed(product, attack);
  // Each connection pipelines more requests than any client does, so the site closes all of them.
  expect(statuses["200"] ?? 0).toBeLessThan(30);
});

it("leaves the site available when 100 connections of one address repeat requests for rendered pages", async () => {
  const path = `/data-rights/status?token=${letters("A", 43)}`;
  const bytes = getLines(path).repeat(9) + getLines(path, last);
  const attack = () => flood(product.url, bytes, { connections: 100, maxMs: 15_000 });
  const { statuses } = await expectBystandersServed(product, attack);
  for (const status of Object.keys(statuses)) expect(["200", "404", "429", "503"]).toContain(status);
});
