import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataRightsFormTypes, dataRightsRequestTypes } from "#supabase/functions/_shared/data-rights-request";
import { filledDataRightsForm, readMailsTo, readRequestLinks } from "../../support/data-rights";
import { findTag, findTags, readTexts } from "../../support/page-source";
import { startSite, testAdmin, type TestSite } from "../../support/site";
import { Visitor, leadsTo, noticeOf, readText } from "../../support/visitor";

let product: TestSite;

beforeAll(async () => {
  product = await startSite();
});
afterAll(async () => {
  await product.stop();
});

/** Shortens the month of a day, as rows do. */
const shorten = (day: string) => day.replace(/^([A-Z][a-z]{2})[a-z]*/, "$1");

const sent =
  "Request Submitted We've received your data rights request. We'll respond within 30 days as required by GDPR.";

describe("the data rights form", () => {
  it("has the required fields, placeholders and seven types, followed by a complaint", async () => {
    const { html } = await new Visitor(product.url).get("/data-rights");
    const name = findTag(html, "input", { name: "name" });
    expect(name?.attributes).toMatchObject({ placeholder: "Enter your full name", dir: "auto" });
    const email = findTag(html, "input", { name: "email" });
    expect(email?.attributes).toMatchObject({ type: "email" });
    expect(email?.attributes.placeholder).toMatch(/^\S+@\S+\.\S+$/);
    expect(email?.attributes["aria-describedby"]).toBe("data-rights-email-hint");
    const description = findTag(html, "textarea", { name: "description" });
    expect(description?.attributes).toMatchObject({
      rows: "6",
      dir: "auto",
      placeholder: "Please provide specific details about your request...",
    });
    const [select = ""] = /<select[^>]*name="requestType"[\s\S]*?<\/select>/.exec(html) ?? [];
    const values = findTags(select, "option").map(({ attributes }) => attributes.value);
    expect(values).toEqual(["", ...dataRightsFormTypes]);
    expect(readTexts(select, "option")[0]).toBe("Select the type of request");
    for (const control of [name, email, description, findTag(html, "select", { name: "requestType" })])
      expect(control?.attributes).toHaveProperty("required");
    expect(readTexts(html, "button")).toContain("Submit Request");
  });

  it.each(dataRightsRequestTypes)(
    "accepts a request of type %s, confirms it once, and clears the form",
    async (type) => {
      const visitor = new Visitor(product.url);
      const form = { ...filledDataRightsForm, email: `${type}@types.example`, requestType: type };
      const next = await visitor.postAndFollow("/data-rights", form);
      expect(next.status).toBe(200);
      expect(readText(next.html)).toContain(sent);
      expect(next.html).not.toContain(form.email);
      expect(next.html).not.toContain(form.name);
      expect(readText((await visitor.get("/data-rights")).html)).not.toContain("Request Submitted");
      expect((await readRequestLinks(product.dataDir, form.email)).reference).toMatch(/^DR-/);
    },
  );

  it("shows the one more step and its day instead of the form, also after a reload, and never who asked", async () => {
    const visitor = new Visitor(product.url);
    const form = { ...filledDataRightsForm, email: "next@step.example" };
    const sentForm = await visitor.post("/data-rights", form);
    expect(decodeURIComponent(sentForm.headers.get("location") ?? "")).not.toMatch(/step|Katherine/);
    const { due } = await readRequestLinks(product.dataDir, form.email);
    for (let visit = 0; visit < 2; visit += 1) {
      const { html } = await visitor.follow(sentForm);
      expect(readText(html)).toContain(sent);
      expect(readTexts(html, "h1")).toEqual(["One more step: check your email"]);
      expect(readText(html)).toContain(due);
      expect(findTag(html, "form", { action: "/data-rights" })).toBeUndefined();
      expect(html).not.toContain(form.email);
    }
    const { html } = await visitor.get("/data-rights");
    expect(findTag(html, "form", { action: "/data-rights" })).toBeDefined();
    for (const query of ["?notice=dataRightsSent", "?notice=dataRightsSent.x.y"])
      expect(readTexts((await visitor.get(`/data-rights${query}`)).html, "h1")).toEqual(readTexts(html, "h1"));
  });

  it("accepts a complaint without confirmation, sends a status link, and starts its deadline", async () => {
    const visitor = new Visitor(product.url);
    const form = { ...filledDataRightsForm, email: "complaint@types.example", requestType: "complaint" };
    const next = await visitor.postAndFollow("/data-rights", form);
    expect(readText(next.html).replaceAll("\u00a0", " ")).toContain(
      "Complaint received We will look into it and email you the outcome within 30 days.",
    );
    expect(next.html).not.toContain(form.email);
    const toPerson = () => readMailsTo(product.dataDir, form.email);
    await expect.poll(async () => (await toPerson()).length).toBe(1);
    const [mail] = await toPerson();
    expect(mail?.text).not.toMatch(/\/data-rights\/confirm|What do you hold/);
    expect(mail?.text).toContain("complain to a data protection authority");
    const [, reference = ""] = /^Reference: (DR-\S+)$/m.exec(mail?.text ?? "") ?? [];
    const [, due = ""] = /^We will tell you the outcome by: (.+)$/m.exec(mail?.text ?? "") ?? [];
    expect(readText(next.html)).toContain(due);
    expect(readText(next.html)).not.toContain("One more step");
    const [, status = ""] = /(\/data-rights\/status\?token=\S+)$/m.exec(mail?.text ?? "") ?? [];
    const shown = readText((await visitor.get(status)).html);
    for (const part of [
      reference,
      due,
      "Complaint: about how we handled data",
      "Received",
      "looking into your complaint",
    ])
      expect(shown).toContain(part);
    const admin = new Visitor(product.url);
    await admin.signIn();
    const open = readText((await admin.get("/admin/requests?filter=open")).html);
    // A month has 28 days at the end of January.
    const daysLeft =
      (Date.parse(`${due} UTC`) - Date.parse(new Date().toISOString().slice(0, 10))) / (24 * 60 * 60 * 1000);
    expect(open).toMatch(new RegExp(`${daysLeft} days left Complaint .* Open due ${shorten(due)} ${reference}`));
  });

  it("names each error, links it to its field, keeps every value and marks the title", async () => {
    const { status, html } = await new Visitor(product.url).post("/data-rights", {
      ...filledDataRightsForm,
      name: " ",
      email: "not an address",
      requestType: "erasure",
      description: "",
    });
    expect(status).toBe(400);
    expect(html).toMatch(/<title>Error: /);
    const text = readText(html);
    for (const [id, mistake] of [
      ["data-rights-name", "Enter your full name"],
      ["data-rights-email", "Enter an email address in the correct format, like name@example.com"],
      ["data-rights-description", "Enter the details of your request"],
    ]) {
      expect(text).toContain(mistake);
      expect(html).toContain(`href="#${id}"`);
      expect(html).toContain(`id="${id}"`);
    }
    expect(html.indexOf("There is a problem")).toBeLessThan(html.indexOf("<h1"));
    expect(html).toContain('value="not an address"');
    expect(html).toMatch(/<option value="erasure" selected="">/);
    expect(text).not.toContain("Request Submitted");
  });

  it.each([[""], ["everything"], ["ACCESS"]])("reports the type “%s” as an error and keeps the text", async (type) => {
    const typed = { ...filledDataRightsForm, requestType: type, description: `Kept <b>text</b> & "quotes"` };
    const { status, html } = await new Visitor(product.url).post("/data-rights", typed);
    expect(status).toBe(400);
    expect(html).toMatch(/href="#data-rights-requestType"[^>]*>Select the type of request</);
    expect(html).toContain("Kept &lt;b&gt;text&lt;/b&gt; &amp; &quot;quotes&quot;</textarea>");
    expect(html).toContain(`value="${typed.name}"`);
  });

  it.each([
    ["name", 100],
    ["email", 255],
    ["description", 5000],
  ])("accepts %s up to its limit and refuses one character more", async (field, limit) => {
    const visitor = new Visitor(product.url);
    const end = "@limits.example";
    const longest = field === "email" ? "a".repeat(limit - end.length) + end : "é".repeat(limit);
    expect((await visitor.post("/data-rights", { ...filledDataRightsForm, [field]: longest })).status).toBe(303);
    const tooLong = await visitor.post("/data-rights", { ...filledDataRightsForm, [field]: `a${longest}` });
    expect(tooLong.status).toBe(400);
    expect(readText(tooLong.html)).toMatch(
      /Shorten (your full name|your email address|the details of your request) by 1 character\./,
    );
  });

  it("accepts a request with a filled honeypot, sends the links, and marks it as suspicious", async () => {
    const visitor = new Visitor(product.url);
    const form = { ...filledDataRightsForm, email: "autofill@trap.example" };
    const trapped = await visitor.postAndFollow("/data-rights", { ...form, topic: "https://autofill.example" });
    expect(readText(trapped.html)).toContain(sent);
    const { reference, due, confirm } = await readRequestLinks(product.dataDir, form.email);
    const admin = new Visitor(product.url);
    await admin.signIn();
    const show = async (filter: string) => readText((await admin.get(`/admin/requests?filter=${filter}`)).html);
    for (const filter of ["active", "unconfirmed", "quarantined"]) {
      const text = await show(filter);
      for (const part of [reference, `due ${shorten(due)}`, "Suspicious, received "]) expect(text).toContain(part);
    }
    const token = new URL(confirm, product.url).searchParams.get("token") ?? "";
    expect((await visitor.post("/data-rights/confirm", { token })).status).toBe(303);
    expect(await show("open")).toContain(reference);
    expect(await show("quarantined")).not.toContain(reference);
  });

  it("responds identically to known and unknown addresses, except for per-response values", async () => {
    const known = { ...filledDataRightsForm, email: "known@people.example" };
    await new Visitor(product.url).post("/data-rights", known);
    const answers = [];
    for (const email of [known.email, "unknown@people.example"]) {
      const description = `A second question. ${"x".repeat(20)}`;
      const answer = await new Visitor(product.url).post("/data-rights", { ...known, email, description });
      const { status, headers, html } = answer;
      const differing = ["date", "x-request-id", "location"];
      const others = [...headers].filter(([name]) => !differing.includes(name));
      answers.push({ status, html, headers: others, address: leadsTo(answer), notice: noticeOf(answer) });
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  it("notifies the firm without any personal data", async () => {
    const form = { ...filledDataRightsForm, name: "Quiet Person", email: "quiet@people.example", description: "Hush" };
    await new Visitor(product.url).post("/data-rights", form);
    const { reference, text } = await readRequestLinks(product.dataDir, form.email);
    const toFirm = async () =>
      (await readMailsTo(product.dataDir, testAdmin.email)).filter(({ subject }) => subject.includes(reference));
    await expect.poll(toFirm).toHaveLength(1);
    for (const words of [text, JSON.stringify(await toFirm())]) {
      expect(words).not.toContain(form.name);
      expect(words).not.toContain(form.description);
    }
    expect(product.output()).not.toContain(form.email);
  });

  it("explains alternatives to the form, and allows its scripts in the policy", async () => {
    const { html, headers } = await new Visitor(product.url).get("/data-rights");
    expect(headers.get("content-security-policy")).toContain("script-src 'self' 'sha256-");
    const text = readText(html);
    for (const words of ["30 days", "60 days", "We verify who is asking", "Need help?"]) {
      expect(text.replaceAll("\u00a0", " ")).toContain(words);
    }
    expect(findTag(html, "a", { href: "/contact?from=data-rights" })).toBeDefined();
  });
});
