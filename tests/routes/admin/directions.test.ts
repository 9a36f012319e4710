import { randomUUID } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { Visitor, filledContactForm } from "../../support/visitor";

const marks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const name = `\u202eנועה\u202c ${randomUUID().slice(0, 8)}`;
const plainName = name.replaceAll(/[\u202e\u202c]/g, "");
const message = "\u202eמה שלומך\u200f?\u2067 אנחנו";

let product: RunningSite;
let admin: Visitor;
let address: string;

beforeAll(async () => {
  product = await shareSite();
  admin = new Visitor(product.url);
  await admin.signIn();
  const email = `${randomUUID()}@rtl.example`;
  await new Visitor(product.url).post("/contact", { ...filledContactForm, name, email, goal: "עברית!", message });
  const { html } = await admin.get("/admin");
  const id = new RegExp(`<h3 id="submission-([0-9a-f-]{36})"[^>]*>${plainName}</h3>`).exec(html)?.[1] ?? "";
  address = `/admin/messages/${id}`;
});

it("isolates visitors' text from the text around it, in the list and on the message page", async () => {
  const list = (await admin.get("/admin")).html;
  expect(list).toContain("<bdi>עברית!</bdi>");
  expect(list).toContain(`<span class="inbox-text" dir="auto">${message}</span>`);
  const page = (await admin.get(address)).html;
  expect(page).toContain(`<bdi>${plainName}</bdi>`);
  expect(page).toContain(`<p class="message-body mt-4" dir="auto">${message}</p>`);
  expect(page).toMatch(/<dd class="wrap-anywhere[^"]*"><bdi>עברית!<\/bdi><\/dd>/);
});

it("removes direction marks from emails, replies included, and from the CSV file", async () => {
  const reply = `\u202eשלום\u202c ${randomUUID()}`;
  expect((await admin.post(address, { intent: "send", reply: randomUUID(), text: reply })).status).toBe(303);
  const readMails = async () => {
    const folder = join(product.dataDir, "mail");
    const files = await Promise.all(
      (await readdir(folder))
        .filter((file) => file.endsWith(".eml"))
        .map((file) => readFile(join(folder, file), "utf8")),
    );
    return files.map(decode).filter((text) => text.includes(reply.slice(-36)) || text.includes("מה שלומך"));
  };
  await expect.poll(async () => (await readMails()).length).toBeGreaterThanOrEqual(2);
  for (const mail of await readMails()) expect(mail).not.toMatch(marks);
  const csv = (await admin.post("/admin/submissions.csv?filter=done", { separator: "comma" })).html;
  expect(csv).toContain("מה שלומך? אנחנו");
  expect(csv).not.toMatch(marks);
});

/** Decodes quoted-printable and base64 as far as needed for non-ASCII letters. */
function decode(mail: string): string {
  const [head = "", ...body] = mail.split(/\r?\n\r?\n/);
  const text = body.join("\n\n");
  if (/base64/i.test(head)) return Buffer.from(text, "base64").toString("utf8");
  const bytes = text
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return /quoted-printable/i.test(head) ? Buffer.from(bytes, "latin1").toString("utf8") : text;
}
