import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCookies, anyHeaders, anyPath, anyQuery } from "./support/addresses";
import type { Attempt } from "./support/ask";
import { useFuzzedSite } from "./support/fuzzed-site";
import { checkAttempts, requireHarmless, share } from "./support/prove";

const product = useFuzzedSite();

describe("generated bad input in every parameter", () => {
  it("responds to any path and query with a page, a redirect on this site or a clear refusal", async () => {
    expect(await checkAttempts(product, gets(fc.constant({})), share(1200), requireHarmless)).toBe(share(1200));
  });

  it("ignores any cookie that it did not write", async () => {
    expect(
      await checkAttempts(product, gets(anyCookies.map((text) => ({ Cookie: text }))), share(1000), requireHarmless),
    ).toBe(share(1000));
  });

  it("responds to any headers", async () => {
    expect(await checkAttempts(product, gets(anyHeaders), share(800), requireHarmless)).toBe(share(800));
  });
});

function gets(headers: fc.Arbitrary<Record<string, string>>): fc.Arbitrary<Attempt> {
  return fc.tuple(anyPath, fc.constantFrom("", "", ".data"), anyQuery, headers).map(([path, ending, query, given]) => ({
    method: "GET",
    path: path + ending + (query ? `?${query}` : ""),
    headers: given,
  }));
}
