import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contactPage } from "~/content/pages/contact";
import { findTags } from "../../support/page-source";
import { type TestSite, startSite } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";
import { requestRaw, isFromMemory } from "../support/raw-response";

const address = "/contact?about=investors";
const lead = contactPage.variants["?about=investors"]?.lead;

let product: TestSite;
let visitor: Visitor;
beforeAll(async () => {
  product = await startSite({}, { isWarm: true });
  visitor = new Visitor(product.url);
});
afterAll(() => product.stop());

const labelOfCompany = (html: string) => /<label for="contact-company"[^>]*>([^<]*)</.exec(html)?.[1];

describe("the contact page for visitors from the investors page", () => {
  it("is the target of each of that page's buttons", async () => {
    const { html } = await visitor.get("/investors");
    const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
    const buttons = findTags(main, "a").filter(({ attributes }) => /\bbutton\b/.test(attributes.class ?? ""));
    const targets = buttons.map(({ attributes }) => attributes.href);
    expect(targets).toEqual([address, address, address]);
  });

  it("addresses investors and fills in nothing", async () => {
    const { html } = await visitor.get(address);
    expect(readText(html)).toContain(lead);
    expect(readText(html)).not.toContain(contactPage.lead);
    expect(labelOfCompany(html)).toBe("Company or fund");
    const form = html.slice(html.indexOf("<form", html.indexOf("<h1")), html.indexOf("</main>"));
    const values = findTags(form, "input").map(({ attributes }) => attributes.value ?? "");
    expect(new Set(values)).toEqual(new Set([""]));
    expect(form).not.toContain("checked");
  });

  it.each(["/contact", "/contact?about=anything", "/contact?about=", "/contact?utm_source=investors"])(
    "is the regular one at %s",
    async (path) => {
      const { html } = await visitor.get(path);
      expect(labelOfCompany(html)).toBe("Company");
      expect(readText(html)).toContain(contactPage.lead);
    },
  );

  it("keeps its label and the typed text after an error, and confirms on the same page", async () => {
    const { html } = await visitor.get(address);
    const action = findTags(html, "form").find(({ attributes }) => attributes.id === "contact")?.attributes.action;
    expect(action).toBe(address);
    const refused = await visitor.post(address, { ...filledContactForm, company: "Harbor Fund", goal: "" });
    expect(refused.status).toBe(400);
    expect(labelOfCompany(refused.html)).toBe("Company or fund");
    expect(refused.html).toContain('value="Harbor Fund"');
    const accepted = await visitor.postAndFollow(address, { ...filledContactForm, company: "Harbor Fund" });
    expect(readText(accepted.html)).toContain("Message Sent!");
    expect(labelOfCompany(accepted.html)).toBe("Company or fund");
  });

  it("comes from memory, even with campaign parameters, and is never confused with the regular one", async () => {
    for (const path of [address, `${address}&utm_source=x`, "/contact?gclid=1&about=investors"]) {
      const answer = await requestRaw(product.url + path);
      expect(isFromMemory(answer), path).toBe(true);
      expect(labelOfCompany(answer.text), path).toBe("Company or fund");
    }
    const usual = await requestRaw(`${product.url}/contact?utm_source=x`);
    expect([isFromMemory(usual), labelOfCompany(usual.text)]).toEqual([true, "Company"]);
    // Lines of the access log are written in batches.
    await expect.poll(product.output).toContain('"route":"/contact"');
    expect(product.output()).not.toContain("about=investors");
  });

  it("is the return page of its cookie banner", async () => {
    const { html } = await visitor.get(address);
    expect(findTags(html, "input").map(({ attributes }) => attributes.name === "page" && attributes.value)).toContain(
      address,
    );
  });
});
