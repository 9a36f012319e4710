import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nameShownText } from "~/features/consent/record/consent-text.server";
import { filledDataRightsForm } from "../support/data-rights";
import { startSite, testAdmin, type TestSite } from "../support/site";
import { filledContactForm } from "../support/visitor";
import { type Attempt, ask } from "./support/ask";
import { badForms } from "./support/forms";
import { prove, requireClear, requireHarmless, requireQuietLog, share } from "./support/prove";

let product: TestSite;

beforeAll(async () => {
  product = await startSite();
});
afterAll(async () => {
  await product.stop();
});

const token = "dGhpcyBpcyBub3QgYSB0b2tlbiBvZiBvdXJzIGF0IGFsbA";

/** Path, what it holds when a person has filled it in, and how many attempts are made on it. */
const forms: [string, Record<string, string>, number][] = [
  ["/contact", filledContactForm, share(1500)],
  ["/data-rights", filledDataRightsForm, share(1200)],
  [
    "/consent",
    {
      choice: "save",
      analytics: "on",
      source: "dialog",
      text: nameShownText("dialog", false),
      page: "/about",
      answer: "data",
    },
    share(1500),
  ],
  ["/login", testAdmin, share(500)],
  ["/data-rights/confirm", { token }, share(400)],
  ["/data-rights/status", { token }, share(400)],
  ["/logout", { nothing: "" }, share(200)],
];

describe("generated bad input: every form of a visitor", () => {
  it.each(forms)("%s answers each with a clear refusal, or as to anybody", async (path, good, count) => {
    expect(await prove(product, posts(path, good), count, requireHarmless)).toBe(count);
  });
});

/** Bodies that generated attempts have found, and what they did. */
const found: [string, string][] = [
  ["answered 500 for a command that is none", "name=Grace&__intent__=nonsense"],
  ["filled 4 GB of memory and ended the product", "a%5B99999999%5D=1"],
  ["filled 4 GB of memory and ended the product", "a%5B4294967295%5D=1"],
  ["nested a list 300 deep", `${"a%5B0%5D".repeat(300)}=1`],
  ["showed what an object has from birth", "toString=1&constructor=1&hasOwnProperty=1"],
  ["gathered a list in the square of its length", Array<string>(15_000).fill("a=1").join("&")],
];

describe("a body that once did harm", () => {
  it.each(found)("%s: no form minds it now", async (_harm, body) => {
    for (const [path] of forms) {
      const begin = performance.now();
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const answer = await ask(product.url, { method: "POST", path, headers, body: Buffer.from(body) });
      requireClear(answer);
      expect(answer.body).not.toContain("SingleFetchFallback");
      expect(performance.now() - begin).toBeLessThan(2_000);
    }
    requireQuietLog(product);
  });
});

/** To the page as a browser without scripts posts it, and to the address that its script posts to. */
function posts(path: string, good: Record<string, string>): fc.Arbitrary<Attempt> {
  return fc
    .tuple(badForms(good), fc.constantFrom(path, `${path}.data`))
    .map(([{ type, body }, target]) => ({ method: "POST", path: target, body, headers: { "Content-Type": type } }));
}
