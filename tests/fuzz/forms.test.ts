import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameShownText } from "~/features/consent/record/consent-text.server";
import { filledDataRightsForm } from "../support/data-rights";
import { testAdmin } from "../support/site";
import { filledJoinForm } from "../support/network-links";
import { filledContactForm } from "../support/visitor";
import { type Attempt, ask } from "./support/ask";
import { badForms } from "./support/forms";
import { useFuzzedSite } from "./support/fuzzed-site";
import { checkAttempts, requireSafeResponse, requireHarmless, requireQuietLog, share } from "./support/prove";

const product = useFuzzedSite();

const token = "dGhpcyBpcyBub3QgYSB0b2tlbiBvZiBvdXJzIGF0IGFsbA";

/** Path, content of the completed form, and number of attempts. */
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
  ["/contact?about=investors", filledJoinForm, share(500)],
  ["/network", { email: "ada@fund.example" }, share(400)],
  [
    `/network?token=${token}`,
    { token, intent: "change", name: "Ada", company: "Fund", fields: "ai", seen: "1" },
    share(400),
  ],
  ["/data-rights/confirm", { token }, share(400)],
  ["/data-rights/status", { token }, share(400)],
  ["/logout", { nothing: "" }, share(200)],
];

describe("generated bad input in every form of a visitor", () => {
  it.each(forms)("%s rejects each attempt clearly or responds as usual", async (path, good, count) => {
    expect(await checkAttempts(product, posts(path, good), count, requireHarmless)).toBe(count);
  });
});

/** Bodies that generated attempts have found, with their effect at the time. */
const harmfulBodies: [string, string][] = [
  ["returned 500 for an unknown command", "name=Grace&__intent__=nonsense"],
  ["filled 4 GB of memory and crashed the product", "a%5B99999999%5D=1"],
  ["filled 4 GB of memory and crashed the product", "a%5B4294967295%5D=1"],
  ["nested a list 300 deep", `${"a%5B0%5D".repeat(300)}=1`],
  ["showed properties of Object.prototype", "toString=1&constructor=1&hasOwnProperty=1"],
  ["gathered a list in quadratic time", Array<string>(15_000).fill("a=1").join("&")],
];

describe("a body that once did harm", () => {
  it.each(harmfulBodies)("is harmless now in every form: %s", async (_harm, body) => {
    for (const [path] of forms) {
      const begin = process.cpuUsage();
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const answer = await ask(product.url, { method: "POST", path, headers, body: Buffer.from(body) });
      requireSafeResponse(answer);
      expect(answer.body).not.toContain("SingleFetchFallback");
      // The site runs in this process.
      const { user, system } = process.cpuUsage(begin);
      expect((user + system) / 1_000).toBeLessThan(2_000);
    }
    requireQuietLog(product);
  });
});

/** Posts to the page, like a browser without scripts, and to the address that its script uses. */
function posts(path: string, good: Record<string, string>): fc.Arbitrary<Attempt> {
  return fc
    .tuple(badForms(good), fc.constantFrom(path, path.replace(/(?=\?|$)/, ".data")))
    .map(([{ type, body }, target]) => ({ method: "POST", path: target, body, headers: { "Content-Type": type } }));
}
