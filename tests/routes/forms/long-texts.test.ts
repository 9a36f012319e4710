import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { firstCharacters } from "~/lib/characters";
import { trapFieldName } from "~/lib/trap-field";
import { filledDataRightsForm, filledLetterForm, readMailsTo } from "../../support/data-rights";
import { findTags } from "../../support/page-source";
import { type Answer, type Visitor, filledContactForm, readText } from "../../support/visitor";
import { signInAdmin, useSharedSite } from "../support/world";

const site = useSharedSite();
let admin: Visitor;
/** paths of a message and of a data rights request in progress */
let message: string;
let request: string;

beforeAll(async () => {
  admin = await signInAdmin(site);
  message = (await receiveMessage("Hello")).address;
  const entered = await admin.post("/admin/requests/new", { ...enteredRequest(), isIdentified: "on" });
  request = entered.headers.get("location") ?? "";
});

const enteredRequest = () => ({ ...filledLetterForm(), email: `${randomUUID()}@long.example` });

async function receiveMessage(text: string) {
  const email = `${randomUUID()}@long.example`;
  const name = `Writer ${email.slice(0, 8)}`;
  await asVisitor("/contact", { ...filledContactForm, name, email, message: text });
  const { html } = await admin.get("/admin");
  const id = new RegExp(`<h3 id="submission-([0-9a-f-]{36})"[^>]*>${name}</h3>`).exec(html)?.[1] ?? "";
  return { email, address: `/admin/messages/${id}` };
}

const asVisitor = (path: string, fields: Record<string, string>) => site.post(path, fields);

/** One field of each form; the tests of schemas and of the database own the other limits. */
const fields: [name: string, limit: number, label: string, send: (text: string) => Promise<Answer>][] = [
  ["message", 5_000, "your message", (text) => asVisitor("/contact", { ...filledContactForm, message: text })],
  [
    "request",
    5_000,
    "the details of your request",
    (text) => asVisitor("/data-rights", { ...filledDataRightsForm, description: text }),
  ],
  [
    "entered request",
    5_000,
    "what the person asks for",
    (text) => admin.post("/admin/requests/new", { ...enteredRequest(), description: text }),
  ],
  [
    "saved text",
    5_000,
    "the text",
    (text) => admin.post("/admin/snippets", { intent: "save", name: randomUUID(), body: text }),
  ],
  ["reply", 10_000, "your reply", (text) => admin.post(message, { intent: "send", reply: randomUUID(), text })],
  ["draft", 10_000, "your reply", (text) => admin.post(message, { intent: "saveDraft", reply: randomUUID(), text })],
  ["note", 2_000, "the text", (text) => admin.post(request, { intent: "note", text })],
  ["search of messages", 200, "your search", (search) => admin.post("/admin", { intent: "search", search })],
  ["search of requests", 200, "your search", (search) => admin.post("/admin/requests", { search })],
];

describe.each(fields)("the text of a %s", (_name, limit, label, send) => {
  it("is accepted at its limit, and comes back whole with one character more", async () => {
    expect((await send("q".repeat(limit))).status).toBe(303);
    const { status, html } = await send("q".repeat(limit + 1));
    expect([status, html.includes("q".repeat(limit + 1))]).toEqual([400, true]);
    expect(readText(html)).toContain(`Shorten ${label} by 1 character.`);
  });

  it("comes back with its first part above four times its limit, and the page says so", async () => {
    const text = randomUUID() + "q".repeat(4 * limit);
    const { status, html } = await send(text);
    const parts = [limit, limit + 1].map((most) => html.includes(firstCharacters(text, most)));
    expect([status, ...parts]).toEqual([400, true, false]);
    const excess = (text.length - limit).toLocaleString("en");
    const first = `This page may hold only the first ${limit.toLocaleString("en")}.`;
    expect(readText(html)).toContain(`Shorten ${label} by ${excess} characters. ${first}`);
  });
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
