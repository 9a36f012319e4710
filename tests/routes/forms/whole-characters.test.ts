import { beforeAll, expect, it } from "vitest";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { Visitor } from "../../support/visitor";

let product: RunningSite;

beforeAll(async () => {
  product = await shareSite();
});

it("renders complete characters at any byte offset, with nothing in between", async () => {
  const visitor = new Visitor(product.url);
  for (const character of ["é", "→", "🌿"]) {
    // A chunk of the renderer ends within this text, and with one of these prefixes it ends within a character.
    for (const beginning of ["", "a", "aa", "aaa"]) {
      const description = beginning + character.repeat(600 / character.length);
      const { html } = await visitor.post("/data-rights", { description });
      expect(html).not.toContain("\0");
      expect(html).toContain(`${description}</textarea>`);
    }
  }
});

it("removes a posted NUL from the page", async () => {
  for (let time = 0; time < 3; time++) {
    const { html } = await new Visitor(product.url).post("/data-rights", { name: "a\0b", description: "c\0d" });
    expect(html).not.toContain("\0");
    expect(html).toContain('value="ab"');
  }
});
