import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filledDataRightsForm, readRequestLinks } from "../../support/data-rights";
import { findMailFilesWith } from "../../support/find-text";
import { findTag } from "../../support/page-source";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";

let product: TestSite;
let admin: Visitor;

beforeAll(async () => {
  product = await startSite();
  admin = new Visitor(product.url);
  await admin.signIn();
});
afterAll(async () => {
  await product.stop();
});

/** Opens a confirmed request by someone who has sent a message. @returns path of its page */
async function openRequest(requestType: string, email: string): Promise<string> {
  const visitor = new Visitor(product.url);
  expect((await visitor.post("/contact", { ...filledContactForm, email })).status).toBe(303);
  expect((await visitor.post("/data-rights", { ...filledDataRightsForm, requestType, email })).status).toBe(303);
  const { confirm, reference } = await readRequestLinks(product.dataDir, email);
  const token = new URL(confirm, product.url).searchParams.get("token") ?? "";
  expect((await visitor.post("/data-rights/confirm", { token })).status).toBe(303);
  const { html } = await admin.get("/admin/requests?filter=open");
  const [, address = ""] =
    new RegExp(`href="(/admin/requests/[0-9a-f-]{36})"[^>]*>(?:(?!</a>).)*${reference}<`).exec(html) ?? [];
  return address;
}

describe("a correction", () => {
  it("changes the stored message, and removes the old text from logs and mail files", async () => {
    const address = await openRequest("rectification", "correct@a.example");
    const { dataDir } = product;
    const findOld = async () => {
      const own = new Set(await findMailFilesWith(dataDir, "correct@a.example"));
      return (await findMailFilesWith(dataDir, filledContactForm.company)).filter((name) => own.has(name));
    };
    await expect.poll(findOld, { timeout: 30_000 }).toHaveLength(1);
    const { html } = await admin.get(address);
    expect(html).toMatch(/<title>Data rights request DR-[\w-]+ \|/);
    const submission = findTag(html, "input", { name: "submission" })?.attributes.value ?? "";
    const change = { intent: "correct", submission, field: "company", text: "  Harbour\r\nClinics " };
    const next = await admin.postAndFollow(address, change);
    const text = readText(next.html);
    expect(text).toContain("Corrected The stored message has the new text.");
    expect(text).toMatch(/company of message [0-9a-f-]{36}\. Salted SHA-256 of the old text: [0-9a-f]{96}/);
    expect(next.html).not.toContain(filledContactForm.company);
    const list = readText((await admin.get("/admin")).html);
    expect(list).toContain("Harbour Clinics");
    expect(list).not.toContain(filledContactForm.company);
    expect(await findOld()).toEqual([]);
  });

  describe("an invalid correction", () => {
    let address: string;
    let submission: string;
    beforeAll(async () => {
      address = await openRequest("rectification", "refused@a.example");
      const { html } = await admin.get(address);
      submission = findTag(html, "input", { name: "submission" })?.attributes.value ?? "";
      if (submission === "") throw new Error("The page has no form for a correction.");
    });
    const correct = (field: string, text: string) =>
      admin.post(address, { intent: "correct", submission, field, text });

    it.each([
      ["company", " ", "Enter the corrected text"],
      ["company", "x".repeat(201), "Shorten the corrected text by 1 character."],
      ["message", "", "Enter the corrected text"],
      ["message", "🌻".repeat(5_100), "Shorten the corrected text by 100 characters."],
      ["email", "other@a.example", "Something is missing or too long."],
      ["ip_address", "203.0.113.1", "Something is missing or too long."],
    ])("is rejected: %s “%.5s”", async (field, typed, mistake) => {
      const { status, html } = await correct(field, typed);
      expect(status).toBe(400);
      expect(readText(html)).toContain(mistake);
      expect(readText((await admin.get(address)).html)).not.toContain("SHA-256");
    });

    it("keeps the typed text in its own field", async () => {
      const typed = "y".repeat(201);
      const { html } = await correct("company", typed);
      expect(findTag(html, "input", { id: `correct-${submission}-company` })?.attributes.value).toBe(typed);
      const goal = findTag(html, "input", { id: `correct-${submission}-goal` });
      expect(goal?.attributes.value).toBe(filledContactForm.goal);
    });
  });

  it("is offered only for requests for rectification", async () => {
    const address = await openRequest("access", "no-correction@a.example");
    expect(readText((await admin.get(address)).html)).not.toContain("Correct what is stored");
  });
});

describe("a message whose sender has requested their data", () => {
  it("cannot be deleted, and the page says why", async () => {
    await openRequest("access", "asked@a.example");
    const { html } = await admin.get("/admin?filter=all");
    const id = /<h3 id="submission-([0-9a-f-]{36})"/.exec(html)?.[1] ?? "";
    const refused = await admin.post("/admin", { intent: "delete", confirmed: "yes", id });
    expect(refused.status).toBe(409);
    expect(readText(refused.html)).toContain("This person has asked for their data.");
    expect((await admin.get("/admin")).html).toContain(id);
  });
});

describe("a note", () => {
  it("is part of the data package, and the page warns of that in advance", async () => {
    const address = await openRequest("access", "note@a.example");
    const hint = "The requester sees it if they get a copy of their data.";
    expect(readText((await admin.get(address)).html)).toContain(hint);
    await admin.postAndFollow(address, { intent: "note", text: "Sounded cross on the phone." });
    const { html } = await admin.post(`${address}/package`, { format: "json" });
    expect(html).toContain("Sounded cross on the phone.");
  });
});

describe("the end of a restriction", () => {
  it("is announced with its date and can be canceled", async () => {
    const address = await openRequest("restrict", "restrict@a.example");
    await admin.postAndFollow(address, { intent: "restrict", text: "Disputed" });
    const announced = readText((await admin.postAndFollow(address, { intent: "lift", text: "Settled" })).html);
    expect(announced).toMatch(/Restriction ends on \w+ \d+, \d{4}/);
    expect(announced).toContain("Restricted: stored, but not used");
    const kept = readText((await admin.postAndFollow(address, { intent: "keepRestriction", text: "Objection" })).html);
    expect(kept).not.toContain("Restriction ends on");
    expect(kept).toContain("Restriction kept");
  });
});
