import { beforeAll, expect, it } from "vitest";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { Visitor } from "../../support/visitor";

let product: RunningSite;

beforeAll(async () => {
  product = await shareSite();
});

it("a rendered page holds whole characters and nothing between them, wherever its bytes come to stand", async () => {
  const visitor = new Visitor(product.url);
  for (const sign of ["é", "→", "🌿"]) {
    // One step of the renderer ends somewhere within so many of them; by one of these beginnings it ends within one.
    for (const beginning of ["", "a", "aa", "aaa"]) {
      const description = beginning + sign.repeat(600 / sign.length);
      const { html } = await visitor.post("/data-rights", { description });
      expect(html).not.toContain("\0");
      expect(html).toContain(`${description}</textarea>`);
    }
  }
});

it("a NUL that somebody posts is in no page", async () => {
  for (let time = 0; time < 3; time++) {
    const { html } = await new Visitor(product.url).post("/data-rights", { name: "a\0b", description: "c\0d" });
    expect(html).not.toContain("\0");
    expect(html).toContain('value="ab"');
  }
});
