import { expect, it } from "vitest";
import { readText } from "../../support/visitor";
import { useSharedSite } from "../support/world";

const site = useSharedSite();
const urlencoded = "application/x-www-form-urlencoded";

it("explains why it refuses a form in an encoding that it cannot read", async () => {
  const headers = { "Content-Type": urlencoded, Origin: site.url };
  const response = await fetch(`${site.url}/contact`, { method: "POST", body: "name=Zo%EB", headers });
  expect(response.status).toBe(400);
  expect(readText(await response.text())).toContain("sent this form in an encoding other than UTF-8");
});

it("refuses a body that is too large and has no declared length, and says how much a form may have", async () => {
  const init = { method: "POST", headers: { "Content-Type": urlencoded }, duplex: "half" };
  const body = new Blob([`message=${"x".repeat(256 * 1024)}`]).stream();
  const response = await fetch(`${site.url}/contact`, { ...init, body } as RequestInit);
  expect([response.status, await response.text()]).toEqual([413, expect.stringContaining("256 kilobytes")]);
});

it("renders complete characters at any byte offset, with nothing in between", async () => {
  for (const character of ["é", "→", "🌿"]) {
    // A chunk of the renderer ends within this text, and with one of these prefixes it ends within a character.
    for (const beginning of ["", "a", "aa", "aaa"]) {
      const description = beginning + character.repeat(600 / character.length);
      const { html } = await site.post("/data-rights", { description });
      expect(html).not.toContain("\0");
      expect(html).toContain(`${description}</textarea>`);
    }
  }
});

it("removes a posted NUL from the page", async () => {
  for (let time = 0; time < 3; time += 1) {
    const { html } = await site.post("/data-rights", { name: "a\0b", description: "c\0d" });
    expect(html).not.toContain("\0");
    expect(html).toContain('value="ab"');
  }
});
