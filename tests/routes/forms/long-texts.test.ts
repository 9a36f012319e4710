import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { countCharacters, firstCharacters } from "~/lib/characters";
import { trapFieldName } from "~/lib/trap-field";
import { filledDataRightsForm, readMailsTo } from "../../support/data-rights";
import { isEverything } from "../../support/everything";
import { findTags } from "../../support/page-source";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { type Answer, Visitor, filledContactForm, readText } from "../../support/visitor";

let product: RunningSite;
let admin: Visitor;
/** paths of a message and of a data rights request in progress */
let message: string;
let request: string;

beforeAll(async () => {
  product = await shareSite();
  admin = new Visitor(product.url);
  await admin.signIn();
  message = (await receiveMessage()).address;
  const entered = await admin.post("/admin/requests/new", { ...enteredRequest(), isIdentified: "on" });
  request = entered.headers.get("location") ?? "";
});

const enteredRequest = () => ({
  name: "By Letter",
  email: `${randomUUID()}@long.example`,
  requestType: "access",
  description: `What do you hold? ${randomUUID()}`,
  channel: "letter",
  receivedOn: new Date().toISOString().slice(0, 10),
});

async function receiveMessage(fields: Partial<typeof filledContactForm> = {}) {
  const email = `${randomUUID()}@long.example`;
  const name = `Writer ${email.slice(0, 8)}`;
  expect(
    (await new Visitor(product.url).post("/contact", { ...filledContactForm, name, email, ...fields })).status,
  ).toBe(303);
  const { html } = await admin.get("/admin");
  const id = new RegExp(`<h3 id="submission-([0-9a-f-]{36})"[^>]*>${name}</h3>`).exec(html)?.[1] ?? "";
  return { email, address: `/admin/messages/${id}` };
}

const scripts = Object.entries({ Latin: "q", Chinese: "字", emoji: "🌻" });

/** Returns the scripts to try in a field: all, or with `npm test` one, by turns. */
const scriptsOf = (turn: number) => scripts.filter((_, index) => isEverything || index === turn % scripts.length);

interface Field {
  limit: number;
  /** name of the text in error messages */
  label: string;
  send(text: string): Promise<Answer>;
}

/** Encodes fields as the page of replies does: URL-encoded, long Chinese texts would exceed the size of a form. */
function inParts(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

const contact = (field: keyof typeof filledContactForm, limit: number, label: string): Field => ({
  limit,
  label,
  send: (text) => new Visitor(product.url).post("/contact", { ...filledContactForm, [field]: text }),
});
const dataRights = (field: keyof typeof filledDataRightsForm, limit: number, label: string): Field => ({
  limit,
  label,
  send: (text) => new Visitor(product.url).post("/data-rights", { ...filledDataRightsForm, [field]: text }),
});
const entered = (field: "name" | "description", limit: number, label: string): Field => ({
  limit,
  label,
  send: (text) => admin.post("/admin/requests/new", { ...enteredRequest(), [field]: text }),
});
const snippet = (field: "name" | "body", limit: number, label: string): Field => ({
  limit,
  label,
  send: (text) =>
    admin.post("/admin/snippets", { intent: "save", name: randomUUID(), body: randomUUID(), [field]: text }),
});

const fields: Record<string, Field> = {
  "name of a message": contact("name", 100, "your name"),
  "company of a message": contact("company", 200, "your company"),
  "stage of a message": contact("stage", 100, "your business stage"),
  "goal of a message": contact("goal", 200, "your goal"),
  "text of a message": contact("message", 5_000, "your message"),
  "name of a request": dataRights("name", 100, "your full name"),
  "text of a request": dataRights("description", 5_000, "the details of your request"),
  "name of an entered request": entered("name", 100, "the person’s full name"),
  "text of an entered request": entered("description", 5_000, "what the person asks for"),
  "name of a saved text": snippet("name", 80, "the name"),
  "saved text": snippet("body", 5_000, "the text"),
  reply: {
    limit: 10_000,
    label: "your reply",
    send: (text) => admin.post(message, inParts({ intent: "send", reply: randomUUID(), text })),
  },
  draft: {
    limit: 10_000,
    label: "your reply",
    send: (text) => admin.post(message, inParts({ intent: "saveDraft", reply: randomUUID(), text })),
  },
  note: {
    limit: 2_000,
    label: "the text",
    send: (text) => admin.post(request, { intent: "note", text }),
  },
  "search of messages": {
    limit: 200,
    label: "your search",
    send: (search) => admin.post("/admin", { intent: "search", search }),
  },
  "search of requests": {
    limit: 200,
    label: "your search",
    send: (search) => admin.post("/admin/requests", { search }),
  },
};

describe.each(Object.entries(fields).map(([name, field], turn) => ({ name, turn, ...field })))("$name", (field) => {
  const { turn, limit, label, send } = field;

  it.each(scriptsOf(turn))("accepts as many characters as its limit, and not one more: %s", async (_script, letter) => {
    expect((await send(letter.repeat(limit))).status).toBe(303);
    for (const length of isEverything ? [limit + 1, 1.5 * limit, (4 * limit) / letter.length] : [limit + 1]) {
      const { status, html } = await send(letter.repeat(length));
      const excess = length - limit;
      expect([status, html.includes(letter.repeat(length))]).toEqual([400, true]);
      expect(readText(html)).toContain(
        `Shorten ${label} by ${excess.toLocaleString("en")} ${excess === 1 ? "character" : "characters"}.`,
      );
    }
    // A text of over four times the limit comes back with its first part, and the page says so.
    const text = randomUUID() + letter.repeat((4 * limit) / letter.length);
    const { status, html } = await send(text);
    const parts = [limit, limit + 1].map((most) => html.includes(firstCharacters(text, most)));
    expect([status, ...parts]).toEqual([400, true, false]);
    const excess = (countCharacters(text) - limit).toLocaleString("en");
    const first = `This page may hold only the first ${limit.toLocaleString("en")}.`;
    expect(readText(html)).toContain(`Shorten ${label} by ${excess} characters. ${first}`);
  });
});

it("accepts the longest message in decomposed letters, as macOS stores them", async () => {
  const parts = "각".normalize("NFD").repeat(5_000);
  expect(parts).toHaveLength(15_000);
  const { email, address } = await receiveMessage({ message: parts });
  const { html } = await admin.get(address);
  expect(html).toContain("각".repeat(5_000));
  expect(html).not.toContain("각".normalize("NFD"));
  expect(email).not.toBe("");
});

it("sends the longest Chinese reply to the longest Chinese message without losing a character", async () => {
  const { email, address } = await receiveMessage({ message: "问".repeat(5_000) });
  const text = "答".repeat(10_000);
  expect((await admin.post(address, { intent: "send", reply: randomUUID(), text })).status).toBe(303);
  expect((await admin.get(address)).html).toContain(text);
  const replies = async () =>
    (await readMailsTo(product.dataDir, email)).filter(({ subject }) => subject.startsWith("Re: "));
  await expect.poll(async () => (await replies()).length).toBe(1);
  const mailed = ((await replies())[0]?.text ?? "").replace(/\s/g, "");
  expect(mailed).toContain(text);
  expect(mailed).toContain(`>${"问".repeat(5_000)}`);
});

it("has no `maxlength` on any page, because it silently truncates pasted text", async () => {
  const visitor = new Visitor(product.url);
  const pages = await Promise.all([
    ...["/contact", "/data-rights", "/login", "/login/forgotten"].map((path) => visitor.get(path)),
    ...[
      "/admin",
      "/admin/requests",
      "/admin/requests/new",
      "/admin/snippets",
      "/admin/network",
      "/admin/people",
      "/admin/account",
    ].map((path) => admin.get(path)),
    admin.get(message),
    admin.get(request),
    visitor.post("/contact", { ...filledContactForm, name: "" }),
    visitor.post("/data-rights", { ...filledDataRightsForm, name: "" }),
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
