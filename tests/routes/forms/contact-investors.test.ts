import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contactPage } from "~/content/pages/contact";
import { findTag, findTags, readTexts } from "../../support/page-source";
import { type TestSite, startSite } from "../../support/site";
import { Visitor, filledContactForm, noticeOf, readText } from "../../support/visitor";
import { requestRaw, isFromMemory } from "../support/raw-response";

const address = "/contact?about=investors";
const boxName = 'name="joinNetwork"';
const lead = contactPage.variants["?about=investors"]?.lead;

let product: TestSite;
let visitor: Visitor;
beforeAll(async () => {
  product = await startSite({}, { isWarm: true });
  visitor = new Visitor(product.url);
});
afterAll(() => product.stop());

const formOf = (html: string) => /<form\b[^>]*\bid="contact"[\s\S]*?<\/form>/.exec(html)?.[0] ?? "";
const labelOfCompany = (html: string) => /<label for="contact-company"[^>]*>([^<]*)</.exec(html)?.[1];

describe("the contact page for visitors from the investors page", () => {
  it("is the target of each of that page's buttons", async () => {
    const { html } = await visitor.get("/investors");
    const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
    const buttons = findTags(main, "a").filter(({ attributes }) => /\bbutton\b/.test(attributes.class ?? ""));
    const targets = buttons.map(({ attributes }) => attributes.href);
    expect(targets).toEqual([`${address}&want=network`, `${address}&want=diligence`, address]);
  });

  it("addresses investors and fills in nothing", async () => {
    const { html } = await visitor.get(address);
    expect(readText(html)).toContain(lead);
    expect(readText(html)).not.toContain(contactPage.lead);
    expect(labelOfCompany(html)).toBe("Company or fund");
    const form = html.slice(html.indexOf("<form", html.indexOf("<h1")), html.indexOf("</main>"));
    const typed = findTags(form, "input").filter(({ attributes }) => attributes.type !== "checkbox");
    const values = typed.map(({ attributes }) => attributes.value ?? "");
    expect(new Set(values)).toEqual(new Set([""]));
    expect(form).not.toContain("checked");
  });

  it.each([
    ["network", "Join the investor network", "check the box below your message"],
    ["diligence", "", "Tell us about the deal"],
  ])("knows what the button said that asks for %s, and checks no box", async (wish, goal, words) => {
    const { html } = await visitor.get(`${address}&want=${wish}`);
    expect(readText(html)).toContain(words);
    expect(labelOfCompany(html)).toBe("Company or fund");
    expect(findTag(html, "input", { name: "goal" })?.attributes.value ?? "").toBe(goal);
    expect(findTags(formOf(html), "input").map(({ attributes }) => "checked" in attributes)).not.toContain(true);
    expect(findTag(html, "form", { id: "contact" })?.attributes.action).toBe(`${address}&want=${wish}`);
  });

  it.each([
    "/contact",
    "/contact?about=anything",
    "/contact?about=",
    "/contact?utm_source=investors",
    "/contact?want=network",
    "/contact?about=others&want=network",
  ])("is the regular one at %s", async (path) => {
    const { html } = await visitor.get(path);
    expect(labelOfCompany(html)).toBe("Company");
    expect(readText(html)).toContain(contactPage.lead);
    expect(html).not.toContain(boxName);
  });

  it.each([`${address}&want=anything`, `${address}&want=`])("is the investors' one at %s", async (path) => {
    const { html } = await visitor.get(path);
    expect(readText(html)).toContain(lead);
    expect(findTag(html, "form", { id: "contact" })?.attributes.action).toBe(address);
  });

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
    for (const path of [
      address,
      `${address}&utm_source=x`,
      "/contact?gclid=1&about=investors",
      `${address}&want=network`,
      "/contact?want=diligence&utm_source=x&about=investors",
    ]) {
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

const readDetails = (html: string) => ({
  isChecked: "checked" in (findTag(html, "input", { name: "joinNetwork" })?.attributes ?? {}),
  chosen: findTags(formOf(html).replace(/^[\s\S]*class="join-details/, ""), "option", "input").flatMap(
    ({ attributes }) =>
      attributes.value && ("selected" in attributes || "checked" in attributes) ? [attributes.value] : [],
  ),
  place: findTag(html, "input", { name: "place" })?.attributes.value,
});

describe("the box to join the investor network", () => {
  const details = {
    kind: "angel",
    fields: "ai",
    checkSize: "25k-100k",
    place: "Oregon & <b>Maine</b>",
    qualification: "license",
  };
  const filled = { ...filledContactForm, joinNetwork: "on", ...details };

  it("keeps all details after a mistake elsewhere", async () => {
    const { status, html } = await visitor.post(address, { ...filled, goal: "" });
    expect(status).toBe(400);
    expect(readDetails(html)).toEqual({
      isChecked: true,
      chosen: ["angel", "ai", "25k-100k", "license"],
      place: details.place,
    });
  });

  it.each([
    ["kind", "king", "Choose a kind of investor from the list"],
    ["fields", "gold", "Choose fields of interest from the list"],
    ["checkSize", "1", "Choose a check size from the list"],
    ["place", "x".repeat(101), "Shorten your country or state by 1 character."],
    ["qualification", "yes", "Choose how you qualify from the list"],
  ])("reports a wrong %s, and keeps the message", async (name, value, mistake) => {
    const { status, html } = await visitor.post(address, { ...filled, [name]: value });
    expect(status).toBe(400);
    const links = findTags(html, "a").filter(({ attributes }) => attributes.href?.startsWith("#contact-"));
    expect(links.map(({ attributes }) => attributes.href)).toEqual([`#contact-${name}`]);
    expect(html).toContain(`id="contact-${name}"`);
    expect(readText(html)).toContain(mistake);
    expect(readText(html)).toContain("We run nine clinics.");
  });

  it("ignores the details, even wrong ones, while it is not checked, and on the form for others", async () => {
    const wrong = { ...details, kind: "king", place: "x".repeat(101) };
    const answers = [
      await visitor.post(address, { ...filledContactForm, ...wrong, message: "Without the box" }),
      await visitor.post("/contact", { ...filledContactForm, ...wrong, joinNetwork: "on", message: "Elsewhere" }),
    ];
    for (const answer of answers) expect([answer.status, noticeOf(answer)]).toEqual([303, "contactSent"]);
  });

  it("leads to one more step, which names no address", async () => {
    const sent = await visitor.post(address, { ...filled, message: "Count me in" });
    expect([sent.status, noticeOf(sent)]).toEqual([303, "contactSentJoining"]);
    expect(sent.headers.get("location")).not.toContain("harbor");
    const { html } = await visitor.follow(sent);
    expect(readTexts(html, "h1")).toEqual(["One more step: check your email"]);
    expect(readText(html)).toMatch(/open the link in our email within 7.days.*will reply to your message by /);
    expect(findTags(html, "a").map(({ attributes }) => attributes.href)).toContain("/investors");
  });
});
