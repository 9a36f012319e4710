import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { expect, it } from "vitest";
import { readEveryPage } from "../../support/every-page";
import { startSite } from "../../support/site";

/** A checker of the HTML standard, without rules of style. The W3C checker needs Java. */
const checker = new HtmlValidate(new StaticConfigLoader({ root: true, extends: ["html-validate:standard"] }));

it("conforms to the HTML standard on every page", async () => {
  const site = await startSite();
  for (const [name, html] of await readEveryPage(site)) {
    const { results } = await checker.validateString(html);
    expect([name, results.flatMap(({ messages }) => messages)]).toEqual([name, []]);
  }
  await site.stop();
});
