import { beforeAll, describe, expect, it } from "vitest";
import { contactPage } from "~/content/pages/contact";
import { contactVariants } from "~/lib/pages/relevant-query";
import { findTag, findTags } from "../../support/page-source";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { Visitor, filledContactForm } from "../../support/visitor";
import { isFromMemory, requestRaw } from "../support/raw-response";

const stages = {
  "/startups": "Startup",
  "/small-business": "Small or mid-sized business",
  "/growth-stage": "Growth stage",
  "/enterprises": "Enterprise or health system",
  "/investors": "Investor",
};

let product: RunningSite;
let visitor: Visitor;
beforeAll(async () => {
  product = await shareSite();
  visitor = new Visitor(product.url);
});

/** Returns the stages that a page preselects. */
function findSelected(html: string): (string | undefined)[] {
  const [select = ""] = /<select[^>]*name="stage"[\s\S]*?<\/select>/.exec(html) ?? [];
  return findTags(select, "option")
    .filter(({ attributes }) => "selected" in attributes)
    .map(({ attributes }) => attributes.value);
}

const findFormAddress = (html: string) => findTag(html, "form", { id: "contact" })?.attributes.action ?? "";

describe("the contact form preselects the business stage", () => {
  it.each(Object.entries(stages))("after each link of %s", async (page, stage) => {
    const { html } = await visitor.get(page);
    const links = findTags(html, "a").flatMap(({ attributes: { href = "" } }) =>
      href.startsWith("/contact") ? [href] : [],
    );
    expect(links.length).toBeGreaterThan(2);
    expect(contactVariants).toEqual(expect.arrayContaining(links));
    for (const link of new Set(links)) expect(findSelected((await visitor.get(link)).html)).toEqual([stage]);
  });

  it.each(["/contact", "/contact?from=build", "/contact?from=home", "/contact?from=nowhere", "/contact?stage=Startup"])(
    "not at %s",
    async (address) => {
      expect(findSelected((await visitor.get(address)).html)).not.toContain("Startup");
    },
  );

  it("for each variant of the page, with one of its choices", () => {
    expect(Object.keys(contactPage.variants).map((query) => `/contact${query}`)).toEqual([...contactVariants]);
    const offered = contactPage.help.stage?.choices;
    for (const variant of Object.values(contactPage.variants)) expect(offered).toContain(variant?.stage);
  });

  it("from memory, and never mixes up two variants", async () => {
    for (const [query, stage] of [
      ["?from=startups", "Startup"],
      ["?utm_source=x&from=growth-stage", "Growth stage"],
      ["?from=enterprises&gclid=1", "Enterprise or health system"],
    ]) {
      const read = () => requestRaw(`${product.url}/contact${query}`);
      await expect.poll(async () => isFromMemory(await read())).toBe(true);
      expect(findSelected((await read()).text)).toEqual([stage]);
    }
  });
});

describe("a form that comes back with mistakes", () => {
  it.each([
    ["another stage", "Growth stage", ["Growth stage"]],
    ["no stage", "", []],
  ])("keeps %s that the visitor chose", async (_, stage, selected) => {
    const address = findFormAddress((await visitor.get("/contact?from=startups")).html);
    expect(address).toBe("/contact?from=startups");
    const { status, html } = await visitor.post(address, { ...filledContactForm, stage, goal: "" });
    expect(status).toBe(400);
    expect(findSelected(html).filter((value) => value !== "")).toEqual(selected);
    expect(findFormAddress(html)).toBe(address);
  });
});
