import * as fc from "fast-check";
import { expect, it } from "vitest";
import { anyCookies, anyHeaders, anyPath, anyQuery } from "./support/addresses";
import { checkAttempts, useFuzzedSite } from "./support/prove";

const product = useFuzzedSite();

it.each<[what: string, count: number, headers: fc.Arbitrary<Record<string, string>>]>([
  ["path and query", 1200, fc.constant({})],
  ["cookies, which it did not write", 1000, anyCookies.map((text) => ({ Cookie: text }))],
  ["headers", 800, anyHeaders],
])("responds to any %s with a page, a redirect on this site or a clear refusal", async (_what, count, headers) => {
  const attempts = fc
    .tuple(anyPath, fc.constantFrom("", "", ".data"), anyQuery, headers)
    .map(([path, ending, query, given]) => ({
      method: "GET" as const,
      path: path + ending + (query ? `?${query}` : ""),
      headers: given,
    }));
  await expect(checkAttempts(product, attempts, count)).resolves.toBeUndefined();
});
