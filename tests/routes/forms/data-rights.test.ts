import { describe, expect, it } from "vitest";
import { dataRightsFormTypes } from "#supabase/functions/_shared/data-rights-request";
import { filledDataRightsForm, readRequestLinks, waitForMail } from "../../support/data-rights";
import { tokenOf } from "../../support/network-links";
import { findTag, findTags, readTexts } from "../../support/page-source";
import { readText } from "../../support/visitor";
import { signInAdmin, useSite } from "../support/world";

const site = useSite();
const send = (fields: Partial<typeof filledDataRightsForm>) =>
  site.post("/data-rights", { ...filledDataRightsForm, ...fields });
const open = async (path: string) => (await site.get(path)).html;

/** Shortens the month of a day, as rows do. */
const shorten = (day: string) => day.replace(/^([A-Z][a-z]{2})[a-z]*/, "$1");

const confirmation =
  "Request Submitted We've received your data rights request. We'll respond within 30 days as required by GDPR.";

describe("the data rights form", () => {
  it("has a required address with its hint, and a choice of seven types and a complaint", async () => {
    const html = await open("/data-rights");
    const email = findTag(html, "input", { name: "email" });
    const described = { type: "email", required: "", "aria-describedby": "data-rights-email-hint" };
    expect(email?.attributes).toMatchObject(described);
    const [select = ""] = /<select[^>]*name="requestType"[\s\S]*?<\/select>/.exec(html) ?? [];
    const values = findTags(select, "option").map(({ attributes }) => attributes.value);
    expect(values).toEqual(["", ...dataRightsFormTypes]);
  });

  it("accepts a request and shows the next step and its day, also after a reload, and never who asked", async () => {
    const email = "next@step.example";
    const sent = await send({ email });
    expect(decodeURIComponent(sent.headers.get("location") ?? "")).not.toMatch(/step|Katherine/);
    const { due } = await readRequestLinks(site.dataDir, email);
    for (let visit = 0; visit < 2; visit += 1) {
      const { status, html } = await site.follow(sent);
      expect(status).toBe(200);
      expect(readText(html)).toContain(confirmation);
      expect(readTexts(html, "h1")).toEqual(["One more step: check your email"]);
      expect(readText(html)).toContain(due);
      expect(findTag(html, "form", { action: "/data-rights" })).toBeUndefined();
      for (const personal of [email, filledDataRightsForm.name]) expect(html).not.toContain(personal);
    }
  });

  it("accepts a complaint without confirmation, says by when it is answered, and mails a status link", async () => {
    const email = "complaint@types.example";
    const { html } = await site.follow(await send({ email, requestType: "complaint" }));
    expect(readText(html).replaceAll("\u00a0", " ")).toContain(
      "Complaint received We will look into it and email you the outcome within 30 days.",
    );
    expect(html).not.toContain(email);
    const { text } = await waitForMail(site.dataDir, email, /^Reference: /m);
    const find = (pattern: RegExp) => pattern.exec(text)?.[1] ?? "";
    const [reference, due] = [find(/^Reference: (DR-\S+)$/m), find(/^We will tell you the outcome by: (.+)$/m)];
    expect(readText(html)).toContain(due);
    expect(readText(html)).not.toContain("One more step");
    const shown = readText(await open(find(/(\/data-rights\/status\?token=\S+)$/m)));
    for (const part of [reference, due, "Complaint: about how we handled data", "looking into your complaint"])
      expect(shown).toContain(part);
  });

  it("accepts a request with a filled honeypot, sends the links, and marks it as suspicious", async () => {
    const email = "autofill@trap.example";
    const trapped = await site.follow(await send({ email, topic: "https://autofill.example" }));
    expect(readText(trapped.html)).toContain(confirmation);
    const { reference, due, confirm } = await readRequestLinks(site.dataDir, email);
    const admin = await signInAdmin(site);
    const show = async (filter: string) => readText((await admin.get(`/admin/requests?filter=${filter}`)).html);
    for (const filter of ["active", "quarantined"]) {
      const text = await show(filter);
      for (const part of [reference, `due ${shorten(due)}`, "Suspicious, received "]) expect(text).toContain(part);
    }
    await site.post("/data-rights/confirm", { token: tokenOf(confirm) });
    expect(await show("open")).toContain(reference);
    expect(await show("quarantined")).not.toContain(reference);
  });
});
