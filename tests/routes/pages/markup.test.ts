import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEveryPage } from "../../support/every-page";
import { startSite, type TestSite } from "../../support/site";

/** A checker of the HTML standard, without rules of style. The W3C checker needs Java. */
const checker = new HtmlValidate(new StaticConfigLoader({ root: true, extends: ["html-validate:standard"] }));

let product: TestSite;
let pages: Map<string, string>;

beforeAll(async () => {
  product = await startSite();
  pages = await readEveryPage(product);
});
afterAll(async () => {
  await product.stop();
});

describe("the markup of every page", () => {
  it("conforms to the HTML standard", async () => {
    expect(pages.size).toBeGreaterThan(25);
    for (const [name, html] of pages) expect(await check(html), name).toEqual([]);
  });

  it.each([
    ["a block within a paragraph", "<p>Write to <div>us</div></p>", "close-order"],
    ["a repeated id", '<p id="main"></p><p id="main"></p>', "no-dup-id"],
    [
      "a button within a link",
      '<a href="/about"><button type="button">About</button></a>',
      "element-permitted-content",
    ],
    ["an unclosed element", "<section><h2>Work</h2>", "close-order"],
    ["an invalid attribute value", '<button type="send">Send</button>', "attribute-allowed-values"],
  ])("is checked for %s", async (_, mistake, rule) => {
    expect(
      await check(`<!doctype html><html lang="en"><title>T</title><main id="main">${mistake}</main></html>`),
    ).toContainEqual(expect.stringContaining(rule));
  });
});

/** Checks a page's markup. @returns each finding with its rule and position */
async function check(html: string): Promise<string[]> {
  const { results } = await checker.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, line, column, message }) => `${ruleId} at ${line}:${column}: ${message}`),
  );
}
