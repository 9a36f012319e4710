import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { firstCharacters } from "~/lib/characters";
import { trapFieldName } from "~/lib/trap-field";
import { filledLetterForm, readMailsTo } from "../../support/data-rights";
import { findTags } from "../../support/page-source";
import { type Visitor, filledContactForm, readText } from "../../support/visitor";
import { signInAdmin, useSharedSite } from "../support/world";

const site = useSharedSite();
let admin: Visitor;
/** paths of a message and of a data rights request in progress */
let message: string;
let request: string;

beforeAll(async () => {
  admin = await signInAdmin(site);
  message = (await receiveMessage("Hello")).address;
  const form = { ...filledLetterForm(), email: `${randomUUID()}@long.example`, isIdentified: "on" };
  const entered = await admin.post("/admin/requests/new", form);
  request = entered.headers.get("location") ?? "";
});

async function receiveMessage(text: string) {
  const email = `${randomUUID()}@long.example`;
  const name = `Writer ${email.slice(0, 8)}`;
  await site.post("/contact", { ...filledContactForm, name, email, message: text });
  const { html } = await admin.get("/admin");
  const id = new RegExp(`<h3 id="submission-([0-9a-f-]{36})"[^>]*>${name}</h3>`).exec(html)?.[1] ?? "";
  return { email, address: `/admin/messages/${id}` };
}

it.each([
  ["your reply", 10_000, () => message, { intent: "send", reply: randomUUID() }],
  ["the text", 2_000, () => request, { intent: "note" }],
])("returns the first part of %s above four times its limit, and says so", async (what, limit, findPath, fields) => {
  const text = randomUUID() + "q".repeat(4 * limit);
  const { status, html } = await admin.post(findPath(), { ...fields, text });
  const parts = [limit, limit + 1].map((most) => html.includes(firstCharacters(text, most)));
  expect([status, ...parts]).toEqual([400, true, false]);
  const excess = (text.length - limit).toLocaleString("en");
  const first = `This page may hold only the first ${limit.toLocaleString("en")}.`;
  expect(readText(html)).toContain(`Shorten ${what} by ${excess} characters. ${first}`);
});

it("sends the longest Chinese reply to the longest Chinese message without losing a character", async () => {
  const { email, address } = await receiveMessage("问".repeat(5_000));
  const text = "答".repeat(10_000);
  const form = new FormData();
  for (const [name, value] of Object.entries({ intent: "send", reply: randomUUID(), text })) form.append(name, value);
  expect((await admin.post(address, form)).status).toBe(303);
  expect((await admin.get(address)).html).toContain(text);
  const replies = async () =>
    (await readMailsTo(site.dataDir, email)).filter(({ subject }) => subject.startsWith("Re: "));
  await expect.poll(async () => (await replies()).length).toBe(1);
  const mailed = ((await replies())[0]?.text ?? "").replace(/\s/g, "");
  expect(mailed).toContain(text);
  expect(mailed).toContain(`>${"问".repeat(5_000)}`);
});

it("has no `maxlength` on any page, because it silently truncates pasted text, and isolates typed text", async () => {
  const ofAdmins = ["", "/requests", "/requests/new", "/snippets", "/network", "/people", "/account"];
  const pages = await Promise.all([
    ...["/contact", "/data-rights", "/login", "/login/forgotten"].map((path) => site.get(path)),
    ...[...ofAdmins.map((path) => `/admin${path}`), message, request].map((path) => admin.get(path)),
  ]);
  for (const { html } of pages) {
    expect(html).not.toMatch(/maxlength/i);
    const typed = [...findTags(html, "textarea"), ...findTags(html, "input")].filter(
      ({ attributes: { type = "text", name, hidden } }) =>
        ["text", "search", "email"].includes(type) && name !== trapFieldName && hidden === undefined,
    );
    expect(typed.filter(({ attributes }) => attributes.dir !== "auto")).toEqual([]);
  }
});
