import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { findTags } from "../../support/page-source";
import { startSite, testAdmin } from "../../support/site";
import { Visitor, readText } from "../../support/visitor";
import { sessionCookie } from "../support/authenticator";
import { answerJson, startStubProject } from "../support/stub-project";
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
const newRequest = () => world.enterRequest({ email: `${randomUUID()}@crystal.example` });
type Form = [string, findPath: () => Promise<string> | string, fields: Record<string, string>];

describe("a text whose writer's session has ended", () => {
  it.each<Form>([
    ["a reply", newMessage, { intent: "send", reply: randomUUID(), text }],
    ["a draft of a reply", newMessage, { intent: "saveDraft", reply: randomUUID(), text }],
    ["a note on a member", () => world.join("Noted Nell", "nell@fund.example"), { intent: "noted", seen: "1", text }],
    ["a note on a request", newRequest, { intent: "note", seen: "0", text }],
    ["a refusal of a request", newRequest, { intent: "refuse", seen: "0", text }],
    [
      "a request by letter",
      () => "/admin/requests/new",
      { ...requestByLetter(), email: "late@crystal.example", description: text },
    ],
    ["a name and a signature", () => "/admin/account", { intent: "save-name", name: "Ada Hale", signature: text }],
    ["a saved text", () => "/admin/snippets", { intent: "save", name: "After a break", body: text }],
    [
      "a letter to members",
      () => "/admin/network/letters/new",
      { intent: "save", letter: randomUUID(), toStates: "admitted", subject: "Fall news", body: text },
    ],
  ])("comes back in a form that a new session can send: %s", async (_, findPath, fields) => {
    const path = await findPath();
    const refused = await world.visitor().post(path, fields);
    expectPage(
      refused,
      403,
      "Your session has ended.",
      fields.intent === "send" ? "Nothing was sent" : "Nothing was saved",
    );
    expect(refused.headers.get("cache-control")).toBe("no-store, no-transform");
    const form = readKeptForm(refused.html);
    expect(form).toEqual({ action: path, fields });
    expect(readText(refused.html)).not.toMatch(/Writer|@crystal\.example|Noted Nell/);
    expect((await world.admin.post(form.action, form.fields)).status).toBe(303);
  });
});

describe("a change to something that a colleague deleted", () => {
  it("returns its text, or says so without one", async () => {
    const path = await world.join("Removed Rob", "rob@fund.example");
    await world.admin.post(path, { intent: "remove", confirmed: "yes" });
    const late = await world.admin.post(path, { intent: "noted", seen: "1", text });
    expectPage(late, 404, "It no longer exists.", "Go to the network");
    expect(textareaOf(late.html)).toBeDefined();
    expect(late.html).toContain("Words of an hour.\nAnd “more” &lt;of&gt; them.</textarea>");
    expect((await world.admin.post(path, { intent: "noted", seen: "1", text: "" })).status).toBe(404);
  });

  it("says so on a message's page, and leads to the list", async () => {
    const { id, address } = await world.receive();
    await world.admin.post(address, { intent: "delete", id, confirmed: "yes" });
    const late = await world.admin.post(address, { intent: "mark", state: "done", id });
    expect(late.status).toBe(404);
    expect(readText(late.html)).toMatch(/It no longer exists\. Someone may have deleted it.*Go to the messages/);
  });
});

it("returns a reply intact while the backend is down", async () => {
  const user = { id: randomUUID(), aud: "authenticated", email: testAdmin.email, app_metadata: {}, user_metadata: {} };
  const project = await startStubProject((call, response, request) => {
    if (call.path.startsWith("/auth/v1/user")) answerJson(200, user)(call, response, request);
    else if (call.path.includes("admin_standing")) answerJson(200, "admin")(call, response, request);
    else answerJson(503, { code: "PGRST002", message: "no schema cache" })(call, response, request);
  });
  const site = await startSite(project.settings);
  try {
    const writer = new Visitor(site.url);
    const session = { access_token: "a.b.c", refresh_token: "refreshtoken", expires_at: 4e9, expires_in: 3600, user };
    writer.setCookie("admin-session", sessionCookie(session));
    const send = () =>
      writer.post(`/admin/messages/${randomUUID()}`, { intent: "send", reply: randomUUID(), text: "Kept words" });
    const withoutDatabase = await send();
    project.become(answerJson(503, {}));
    const withoutBackend = await send();
    for (const { status, html } of [withoutDatabase, withoutBackend])
      expect([status, textareaOf(html)]).toEqual([503, "Kept words"]);
    expectPage(withoutBackend, 503, "The site’s database is not responding.", "This may not have been sent");
  } finally {
    await site.stop();
    await project.close();
  }
});
