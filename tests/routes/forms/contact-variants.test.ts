import { describe, expect, it } from "vitest";
import { contactPage } from "~/content/pages/contact";
import { contactVariants } from "~/lib/pages/relevant-query";
import { filledJoinForm } from "../../support/network-links";
import { findTag, findTags, readTexts } from "../../support/page-source";
import { filledContactForm, noticeOf, readText } from "../../support/visitor";
import { useSite } from "../support/world";

const investors = "/contact?about=investors";
const site = useSite({}, { isWarm: true });
const read = async (path: string) => (await site.get(path)).html;
const post = (path: string, fields: Record<string, string>) => site.post(path, { ...filledContactForm, ...fields });

const formOf = (html: string) => /<form\b[^>]*\bid="contact"[\s\S]*?<\/form>/.exec(html)?.[0] ?? "";

/** Reads what distinguishes the page's form. */
function readVariant(html: string) {
  const [select = ""] = /<select[^>]*name="stage"[\s\S]*?<\/select>/.exec(html) ?? [];
  const selected = findTags(select, "option").filter(({ attributes }) => "selected" in attributes);
  return {
    stage: selected.map(({ attributes }) => attributes.value).join(),
    goal: findTag(html, "input", { name: "goal" })?.attributes.value ?? "",
    company: /<label for="contact-company"[^>]*>([^<]*)</.exec(html)?.[1],
    action: findTag(html, "form", { id: "contact" })?.attributes.action,
  };
}
const usual = { stage: "", goal: "", company: "Company" };
const forInvestors = { ...usual, stage: "Investor", company: "Company or fund" };

describe("the contact form", () => {
  it.each([
    ["/startups", "Startup"],
    ["/small-business", "Small or mid-sized business"],
    ["/growth-stage", "Growth stage"],
    ["/enterprises", "Enterprise or health system"],
    ["/investors", "Investor"],
  ])("preselects the business stage after each link of %s", async (page, stage) => {
    const links = findTags(await read(page), "a").flatMap(({ attributes: { href = "" } }) =>
      href.startsWith("/contact") ? [href] : [],
    );
    expect(links.length).toBeGreaterThan(2);
    expect(contactVariants).toEqual(expect.arrayContaining(links));
    for (const link of new Set(links)) expect(readVariant(await read(link)).stage).toBe(stage);
  });

  it.each([
    ["/contact", usual],
    ["/contact?from=home", { ...usual, action: "/contact" }],
    ["/contact?from=startups", { ...usual, stage: "Startup", action: "/contact?from=startups" }],
    ["/contact?stage=Startup", usual],
    ["/contact?want=network", usual],
    ["/contact?about=others&want=network", usual],
    [investors, { ...forInvestors, action: investors }],
    [`${investors}&want=anything`, { ...forInvestors, action: investors }],
    [`${investors}&want=diligence`, { ...forInvestors, action: `${investors}&want=diligence` }],
    [
      `${investors}&want=network`,
      { ...forInvestors, goal: "Join the investor network", action: `${investors}&want=network` },
    ],
  ])("shows its own words and values at %s, and no checked box", async (path, expected) => {
    const html = await read(path);
    expect(readVariant(html)).toMatchObject(expected);
    expect(formOf(html)).not.toContain("checked");
    expect(formOf(html).includes('name="joinNetwork"')).toBe(expected.stage === "Investor");
    const { search } = new URL(readVariant(html).action ?? "", site.url);
    expect(readText(html)).toContain(contactPage.variants[search]?.lead ?? contactPage.lead);
  });

  it.each([
    ["/contact?from=startups", "another stage", "Growth stage", usual],
    ["/contact?from=startups", "no stage", "", usual],
    [investors, "the investors' label", "Investor", forInvestors],
  ])("keeps at %s %s after a mistake", async (path, _kept, stage, variant) => {
    const { status, html } = await post(path, { stage, goal: "" });
    expect([status, readVariant(html)]).toEqual([400, { ...variant, stage, action: path }]);
  });

  it("has heading, title, steps and both boxes of the network where it was wanted, also after a mistake", async () => {
    const joining = `${investors}&want=network`;
    for (const html of [await read(joining), (await post(joining, { goal: "" })).html]) {
      expect(readTexts(html, "h1")).toEqual(["Join the investor network"]);
      expect(html).toMatch(/<title>(?:Error: )?Join the investor network \|/);
      expect(readText(html)).toContain("You open the link in our email and press the button.");
      const inputs = findTags(formOf(html), "input").map(({ attributes }) => attributes.name);
      expect(inputs.slice(-2)).toEqual(["joinNetwork", "privacyConsent"]);
    }
  });

  it("confirms a message from an investor on the investors' page", async () => {
    const { html } = await site.follow(await post(investors, { company: "Harbor Fund" }));
    expect(readText(html)).toContain("Message Sent!");
    expect(readVariant(html).company).toBe("Company or fund");
  });

  it("is the return page of its cookie banner", async () => {
    const pages = findTags(await read(investors), "input").filter(({ attributes }) => attributes.name === "page");
    expect(pages.map(({ attributes }) => attributes.value)).toContain(investors);
  });
});

describe("the box to join the investor network", () => {
  const { joinNetwork, ...details } = filledJoinForm;

  it("ignores the details, even wrong ones, while it is not checked, and on the form for others", async () => {
    const wrong = { ...details, kind: "king", place: "x".repeat(101) };
    for (const sent of [
      await post(investors, { ...wrong, message: "Without the box" }),
      await post("/contact", { ...wrong, joinNetwork, message: "Elsewhere" }),
    ])
      expect([sent.status, noticeOf(sent)]).toEqual([303, "contactSent"]);
  });

  it("leads to one more step, which names no address", async () => {
    const sent = await post(investors, { ...filledJoinForm, message: "Count me in" });
    expect([sent.status, noticeOf(sent)]).toEqual([303, "contactSentJoining"]);
    expect(sent.headers.get("location")).not.toContain("harbor");
    const { html } = await site.follow(sent);
    expect(readTexts(html, "h1")).toEqual(["One more step: check your email"]);
    expect(readText(html)).toMatch(/open the link in our email within 7.days.*will reply to your message by /);
    expect(findTags(html, "a").map(({ attributes }) => attributes.href)).toContain("/investors");
  });
});
