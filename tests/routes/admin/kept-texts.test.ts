import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { findTags } from "../../support/page-source";
import { startSite, testAdmin } from "../../support/site";
import { Visitor, readText } from "../../support/visitor";
import { answerJson } from "../support/stub-project";
import { encodeSession, openProject, openSite } from "../support/world";
import { expectPage, textareaOf } from "./support/pages";
import { openWorld, requestByLetter } from "./support/world";

const world = openWorld(startSite);
const text = "Words of an hour.\nAnd “more” <of> them.";

/** Reads the form that returns a refused post: its address and all its fields. */
function readKeptForm(html: string): { action: string; fields: Record<string, string> } {
  const source = html.split("<form").find((part) => part.includes("</textarea>")) ?? "";
  const [form, ...inputs] = findTags(`<form${source}`, "form", "input").map(({ attributes }) => attributes);
  const texts = [...source.matchAll(/<textarea[^>]*name="(\w+)"[^>]*>\n?([\s\S]*?)<\/textarea>/g)];
  return {
    action: form?.action ?? "",
    fields: Object.fromEntries([
      ...inputs.map(({ name, value }) => [name, value ?? ""]),
      ...texts.map(([, name, value = ""]) => [name, value.replaceAll("&lt;", "<").replaceAll("&gt;", ">")]),
    ]),
  };
}

const newMessage = async () => (await world.receive()).address;
const letterForm = () => "/admin/requests/new";
const newRequest = () => world.enterRequest({ email: `${randomUUID()}@crystal.example` });
const newLetter = { intent: "save", letter: randomUUID(), toStates: "admitted", subject: "Fall news", body: text };
type Form = [string, findPath: () => Promise<string> | string, fields: Record<string, string>];

describe("a text whose writer's session has ended", () => {
  it.each<Form>([
    ["a reply", newMessage, { intent: "send", reply: randomUUID(), text }],
    ["a note on a member", () => world.join("Noted Nell", "nell@fund.example"), { intent: "noted", seen: "1", text }],
    ["a note on a request", newRequest, { intent: "note", seen: "0", text }],
    ["a request by letter", letterForm, { ...requestByLetter(), email: "late@crystal.example", description: text }],
    ["a name and a signature", () => "/admin/account", { intent: "save-name", name: "Ada Hale", signature: text }],
    ["a saved text", () => "/admin/snippets", { intent: "save", name: "After a break", body: text }],
    ["a letter to members", () => "/admin/network/letters/new", newLetter],
  ])("comes back in a form that a new session can send: %s", async (_, findPath, fields) => {
    const path = await findPath();
    const refused = await world.visitor().post(path, fields);
    const nothing = fields.intent === "send" ? "Nothing was sent" : "Nothing was saved";
    expectPage(refused, 403, "Your session has ended.", nothing);
    expect(refused.headers.get("cache-control")).toBe("no-store, no-transform");
    const form = readKeptForm(refused.html);
    expect(form).toEqual({ action: path, fields });
    expect(readText(refused.html)).not.toMatch(/Writer|@crystal\.example|Noted Nell/);
    expect((await world.admin.post(form.action, form.fields)).status).toBe(303);
  });
});

const newMember = () => world.join("Noted Nell", `${randomUUID()}@fund.example`);
const letterWith = (field: string, typed: string) => ({
  ...requestByLetter(),
  email: "typed@a.example",
  [field]: typed,
});
const longName = { intent: "save-name", name: "x".repeat(101), signature: "y".repeat(501) };

/** Reads all texts in the fields of a page. */
const textsIn = (html: string) => [
  ...findTags(html, "input").map(({ attributes }) => attributes.value),
  ...[...html.matchAll(/<textarea[^>]*>\n?([^<]*)<\/textarea>/g)].map(([, value]) => value),
];

const note = (intent: string, typed: string) => ({ intent, seen: "1", text: typed });
const search = { intent: "search", search: "x".repeat(300) };
const unnamed = { intent: "save", name: " ", body: "Words" };

describe("a mistake", () => {
  it.each<[mistake: string, findPath: Form[1], fields: Record<string, string>, field?: string]>([
    ["Enter your reply", newMessage, { intent: "send", reply: randomUUID(), text: " \n " }, "reply-text"],
    ["Enter your note", newMember, note("noted", " "), "note"],
    ["Shorten your note by 1 character.", newMember, note("admitted", "n".repeat(2_001)), "note"],
    ["Shorten your name by 1 character", () => "/admin/account", longName, "own-name"],
    ["Shorten your signature by 1 character", () => "/admin/account", longName, "own-signature"],
    ["Shorten your search", () => "/admin/network", search],
    ["Enter the name", () => "/admin/snippets", unnamed],
    ["Enter the date the request was received", letterForm, letterWith("receivedOn", "2020-01-01")],
    ["Enter the date the request was received", letterForm, letterWith("receivedOn", "soon")],
    ["Select how the request arrived", letterForm, letterWith("channel", "pigeon")],
    ["Select the type of request", letterForm, letterWith("requestType", "")],
  ])("returns every text with “%s”", async (mistake, findPath, fields, field) => {
    const refused = await world.admin.post(await findPath(), fields);
    expectPage(refused, 400, mistake);
    const marks = ["<title>Error: ", ...(field ? [`href="#${field}"`] : [])];
    for (const mark of marks) expect(refused.html).toContain(mark);
    const typed = ["text", "name", "signature", "body", "description", "email", "search"].map((key) => fields[key]);
    expect(textsIn(refused.html)).toEqual(expect.arrayContaining(typed.filter((each) => each?.trim())));
  });

  it.each<[string, Record<string, string>]>([
    ["/admin", { intent: "mark", id: "no-uuid", state: "done" }],
    ["/admin", { intent: "mark", id: randomUUID(), state: "nonsense" }],
    ["/admin", { intent: "nonsense" }],
    ["/admin/snippets", { intent: "nonsense" }],
    ["/admin/snippets", { intent: "delete", id: "nonsense" }],
    ["/admin/snippets", { intent: "save", id: "nonsense", name: "Name", body: "Words" }],
    ["/admin/people", { intent: "remove", id: "x" }],
  ])("that no form of %s can send is refused: %o", async (path, form) => {
    expect((await world.admin.post(path, form)).status).toBe(400);
  });
});

it("says that a colleague deleted what a post changes, and returns its text", async () => {
  const path = await world.join("Removed Rob", "rob@fund.example");
  await world.admin.post(path, { intent: "remove", confirmed: "yes" });
  const late = await world.admin.post(path, { intent: "noted", seen: "1", text });
  expectPage(late, 404, "It no longer exists.", "Go to the network");
  expect(late.html).toContain("Words of an hour.\nAnd “more” &lt;of&gt; them.</textarea>");
  const { id, address } = await world.receive();
  await world.admin.post(address, { intent: "delete", id, confirmed: "yes" });
  const bare = await world.admin.post(address, { intent: "mark", state: "done", id });
  expectPage(bare, 404, /It no longer exists\. Someone may have deleted it.*Go to the messages/);
});

it("returns a reply intact while the backend is down", async () => {
  const user = { id: randomUUID(), aud: "authenticated", email: testAdmin.email, app_metadata: {}, user_metadata: {} };
  const project = await openProject((call, ...rest) => {
    if (call.path.startsWith("/auth/v1/user")) answerJson(200, user)(call, ...rest);
    else if (call.path.includes("admin_standing")) answerJson(200, "admin")(call, ...rest);
    else answerJson(503, { code: "PGRST002", message: "no schema cache" })(call, ...rest);
  });
  const writer = new Visitor((await openSite(project.settings)).url);
  writer.setCookie("admin-session", encodeSession({ expires_at: 4e9, user }));
  const send = () =>
    writer.post(`/admin/messages/${randomUUID()}`, { intent: "send", reply: randomUUID(), text: "Kept words" });
  const withoutDatabase = await send();
  project.become(answerJson(503, {}));
  const withoutBackend = await send();
  for (const { status, html } of [withoutDatabase, withoutBackend])
    expect([status, textareaOf(html)]).toEqual([503, "Kept words"]);
  expectPage(withoutBackend, 503, "The site’s database is not responding.", "This may not have been sent");
});
