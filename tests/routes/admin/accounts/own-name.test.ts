import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readMailsTo } from "../../../support/data-rights";
import { startSite, testAdmin, type TestSite } from "../../../support/site";
import { Visitor, filledContactForm, leadsTo, readText } from "../../../support/visitor";

let product: TestSite;
let admin: Visitor;

beforeAll(async () => {
  product = await startSite();
  admin = new Visitor(product.url);
  await admin.signIn();
});
afterAll(() => product.stop());

const textareaOf = (html: string, id = "reply-text") =>
  new RegExp(`<textarea[^>]*id="${id}"[^>]*>\\n?([^<]*)</textarea>`).exec(html)?.[1];
const save = (name: string, signature: string) =>
  admin.post("/admin/account", { intent: "save-name", name, signature });

/** Receives a message. @returns its page's path and its sender's address */
async function receiveMessage() {
  const email = `${randomUUID()}@a.example`;
  await new Visitor(product.url).post("/contact", { ...filledContactForm, name: `Jane ${email.slice(0, 8)}`, email });
  const { html } = await admin.get("/admin");
  const id = new RegExp(`<h3 id="submission-([0-9a-f-]{36})"[^>]*>Jane ${email.slice(0, 8)}</h3>`).exec(html)?.[1];
  return { address: `/admin/messages/${id}`, email };
}

it("shows an empty form at first, whose message pages begin an empty reply and lead to the form", async () => {
  const { html } = await admin.get("/admin/account");
  expect(html).toMatch(/<input[^>]*id="own-name"[^>]*value=""/);
  const page = (await admin.get((await receiveMessage()).address)).html;
  expect(textareaOf(page)).toBe("");
  expect(page).toContain('<a href="/admin/account#own-name-title"');
  expect(readText(page)).toContain("Add your name and signature");
});

it("saves name and signature, and signs and logs the next reply with them", async () => {
  const saved = await save(" Ada\u200b  Hale ", "Best,\r\nAda Hale\r\n");
  expect(saved.status).toBe(303);
  expect(leadsTo(saved)).toBe("/admin/account");
  const { html } = await admin.get("/admin/account");
  expect(html).toMatch(/<input[^>]*id="own-name"[^>]*value="Ada Hale"/);
  expect(textareaOf(html, "own-signature")).toBe("Best,\nAda Hale");

  const { address, email } = await receiveMessage();
  expect(textareaOf((await admin.get(address)).html)).toBe("\n\nBest,\nAda Hale");
  const text = "We can.\r\n\r\nBest,\r\nAda Hale";
  await admin.postAndFollow(address, { intent: "send", reply: randomUUID(), text });
  expect(readText((await admin.get(address)).html)).toMatch(
    new RegExp(`Written on .* by Ada Hale \\(${testAdmin.email}\\)`),
  );
  const replies = async () =>
    (await readMailsTo(product.dataDir, email)).filter(({ subject }) => subject.startsWith("Re:"));
  await expect.poll(async () => (await replies()).length).toBe(1);
  const [mail] = await replies();
  expect(mail?.text).toMatch(/^We can\.\n\nBest,\nAda Hale\n\nOn /);
  expect(readText((await admin.get("/admin/people")).html)).toContain(
    `Ada Hale (${testAdmin.email}) changed their name or signature.`,
  );
});

it("keeps the signature of a draft once, inserts saved texts above it, and sends no signature alone", async () => {
  await save("Ada Hale", "Ada Hale");
  const { address } = await receiveMessage();
  const post = (fields: Record<string, string>) => admin.postAndFollow(address, { reply: randomUUID(), ...fields });
  await post({ intent: "saveDraft", text: "Half\r\n\r\nAda Hale" });
  expect(textareaOf((await admin.get(address)).html)).toBe("Half\n\nAda Hale");

  const added = await admin.postAndFollow("/admin/snippets", {
    intent: "save",
    name: "Hi",
    body: "Dear {name}, thanks.",
  });
  const snippet = /name="id" value="([0-9a-f-]{36})"/.exec(added.html)?.[1] ?? "";
  const inserted = await admin.post(address, {
    intent: "insert",
    reply: randomUUID(),
    snippet,
    text: "\r\n\r\nAda Hale",
  });
  expect(textareaOf(inserted.html)).toBe("Dear Jane, thanks.\n\nAda Hale");

  const refused = await admin.post(address, { intent: "send", reply: randomUUID(), text: "\r\n\r\nAda Hale" });
  expect([refused.status, textareaOf(refused.html)]).toEqual([400, "\n\nAda Hale"]);
  expect(readText(refused.html)).toContain("Enter your reply");
  const emptied = await post({ intent: "saveDraft", text: "\r\n\r\nAda Hale" });
  expect(readText(emptied.html)).toContain("Draft deleted");
  expect(textareaOf((await admin.get(address)).html)).toBe("\n\nAda Hale");
});

it("returns texts that are too long, with the mistake at each field", async () => {
  const refused = await save("x".repeat(101), "y".repeat(501));
  expect(refused.status).toBe(400);
  expect(refused.html).toContain(`value="${"x".repeat(101)}"`);
  expect(textareaOf(refused.html, "own-signature")).toBe("y".repeat(501));
  expect(refused.html).toContain('href="#own-name"');
  expect(readText(refused.html)).toContain("Shorten your signature by 1 character");
});
