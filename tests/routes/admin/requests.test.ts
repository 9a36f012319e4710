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
  it("refuses mistakes, changes the stored message, and removes the old text from logs and mail files", async () => {
    const address = await openRequest("rectification", "correct@a.example");
    const { dataDir } = product;
    const findOld = async () => {
      const own = new Set(await findMailFilesWith(dataDir, "correct@a.example"));
      return (await findMailFilesWith(dataDir, filledContactForm.company)).filter((name) => own.has(name));
    };
    await expect.poll(findOld).toHaveLength(1);
    const { html } = await admin.get(address);
    expect(html).toMatch(/<title>Data rights request DR-[\w-]+ \|/);
    const submission = findTag(html, "input", { name: "submission" })?.attributes.value ?? "";
    const correct = (field: string, typed: string) =>
      admin.post(address, { intent: "correct", submission, field, text: typed });
    for (const [field, typed, mistake] of [
      ["company", " ", "Enter the corrected text"],
      ["message", "🌻".repeat(5_100), "Shorten the corrected text by 100 characters."],
      ["email", "other@a.example", "Something is missing or too long."],
    ] as const) {
      const wrong = await correct(field, typed);
      expect([field, wrong.status, readText(wrong.html)]).toEqual([field, 400, expect.stringContaining(mistake)]);
    }
    const long = (await correct("company", "y".repeat(201))).html;
    expect(readText(long)).toContain("Shorten the corrected text by 1 character.");
    expect(readText(long)).not.toContain("SHA-256");
    expect(findTag(long, "input", { id: `correct-${submission}-company` })?.attributes.value).toBe("y".repeat(201));
    expect(findTag(long, "input", { id: `correct-${submission}-goal` })?.attributes.value).toBe(filledContactForm.goal);

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
});

it("shows no correction for another request, keeps its message, and has notes in its data package", async () => {
  const address = await openRequest("access", "asked@a.example");
  const page = readText((await admin.get(address)).html);
  expect(page).not.toContain("Correct what is stored");
  expect(page).toContain("The requester sees it if they get a copy of their data.");
  await admin.post(address, { intent: "note", text: "Sounded cross on the phone." });
  const { html: copy } = await admin.post(`${address}/package`, { format: "json" });
  expect(copy).toContain("Sounded cross on the phone.");

  const { html } = await admin.get("/admin?filter=all");
  const id = /<h3 id="submission-([0-9a-f-]{36})"/.exec(html)?.[1] ?? "";
  const refused = await admin.post("/admin", { intent: "delete", confirmed: "yes", id });
  expect(refused.status).toBe(409);
  expect(readText(refused.html)).toContain("This person has asked for their data.");
  expect((await admin.get("/admin")).html).toContain(id);
});

describe("the end of a restriction", () => {
  it("is announced with its date and can be canceled", async () => {
    const address = await openRequest("restrict", "restrict@a.example");
    await admin.post(address, { intent: "restrict", text: "Disputed" });
    const announced = readText((await admin.postAndFollow(address, { intent: "lift", text: "Settled" })).html);
    expect(announced).toMatch(/Restriction ends on \w+ \d+, \d{4}/);
    expect(announced).toContain("Restricted: stored, but not used");
    const kept = readText((await admin.postAndFollow(address, { intent: "keepRestriction", text: "Objection" })).html);
    expect(kept).not.toContain("Restriction ends on");
    expect(kept).toContain("Restriction kept");
  });
});
