import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { tokenOf } from "../../support/network-links";
import { readTexts } from "../../support/page-source";
import { startSite, testAdmin } from "../../support/site";
import { type Visitor, readText } from "../../support/visitor";
import { expectPage, formOf, textareaOf } from "./support/pages";
import { openWorld } from "./support/world";

const world = openWorld(startSite);
let grace: Visitor;
beforeAll(async () => void (grace = await world.signIn()));

/** Opens the form with this button as one of both admins. */
const openForm = async (admin: Visitor, path: string, intent: string, mark?: string) =>
  formOf((await admin.get(path)).html, intent, mark);
const titleOf = (html: string) => readTexts(html, "title")[0];

describe("a reply to a message that was answered meanwhile", () => {
  it("comes back with the other reply and its own text, also after an error, and is sent after confirmation", async () => {
    const { address } = await world.receive();
    const shown = await openForm(grace, address, "send");
    const first = await openForm(world.admin, address, "send");
    expect((await world.admin.post(address, { ...first, text: "The price is 1." })).status).toBe(303);

    const empty = await grace.post(address, { ...shown, text: " " });
    expect(empty.status).toBe(400);
    const text = "The price is 2.";
    const conflict = await grace.post(address, { ...formOf(empty.html, "send"), text });
    expectPage(conflict, 409, "Send anyway?", /replied, admin@firm\.example\. The other reply: The price is 1\./);
    expect(titleOf(conflict.html)).toMatch(/^Error: /);
    expect(textareaOf(conflict.html)).toBe(text);
    expect(conflict.html).toMatch(/<button name="intent" value="send"[^>]*>Send anyway</);

    const again = formOf(conflict.html, "send");
    expect(again.reply).toBe(shown.reply);
    expect((await grace.post(address, { ...again, text })).status).toBe(303);
  });

  it("asks for confirmation after a state change and a colleague's draft, and shows them", async () => {
    const { id, address } = await world.receive();
    const shown = await openForm(grace, address, "send");
    await world.admin.post(address, { intent: "mark", id, state: "done" });
    const draft = await openForm(world.admin, address, "saveDraft");
    await world.admin.post(address, { ...draft, text: "A colleague's draft" });
    const conflict = await grace.post(address, { ...shown, text: "Words" });
    expectPage(conflict, 409, /Send anyway\? .*: marked as done, admin@/, "admin@firm.example: A colleague's draft");
    expect((await grace.post(address, { ...formOf(conflict.html, "saveDraft"), text: "Words" })).status).toBe(303);
  });
});

describe("a message", () => {
  it("is not changed after another admin's change, on a page that shows the current state", async () => {
    const { id, address } = await world.receive();
    const list = await world.open("/admin");
    const page = (await grace.get(address)).html;
    await world.admin.post("/admin", { intent: "mark", id, state: "spam" });
    const inList = await grace.post("/admin?filter=all", { ...formOf(list, "mark", id), state: "done" });
    expectPage(inList, 409, "Someone changed this while the page was open");
    expect(titleOf(inList.html)).toBe(`Error: ${titleOf(list)}`);
    const deleted = await grace.post(address, { ...formOf(page, "delete"), confirmed: "yes" });
    expectPage(deleted, 409, "Status Spam");
    // The page with the conflict has a form for the current state.
    expect((await grace.post(address, { ...formOf(deleted.html, "delete"), confirmed: "yes" })).status).toBe(303);
  });

  it("is marked by the link in an email, not by opening it, until an admin confirms or reverts that", async () => {
    const { id, address, email } = await world.receive();
    const findMail = async () => (await world.mailsTo(testAdmin.email)).find(({ text }) => text.includes(email))?.text;
    await expect.poll(findMail).toBeDefined();
    const link = /\/answered\?token=[\w-]+/.exec((await findMail()) ?? "")?.[0] ?? "";
    const token = tokenOf(link);
    const title = "Marked as answered by the link in an email";
    const visitor = world.visitor();
    const question = await visitor.get(link);
    expectPage(question, 200, "Have you answered this message?");
    expect(question.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(question.html).not.toMatch(/Writer|@a\.example|<script/);
    expect(await world.read("/admin")).not.toContain(title);
    await visitor.post("/answered", { token });
    const inbox = await world.open("/admin");
    expect(readText(inbox)).toContain(title);
    const page = await world.open(address);
    expect(readText(page)).toContain(title);
    // Its own page does not lead to itself.
    expect(page).toMatch(/<\/bdi>(?:<!-- -->)?, marked on/);
    const revert: Record<string, string> = { ...formOf(inbox, "mark", "Not answered"), state: "new" };
    expect(revert.id).toBe(id);
    expect((await world.admin.post("/admin", revert)).status).toBe(303);
    expect(await world.read(address)).not.toContain(title);

    // A link scanner: no session and no page, only the post.
    await world.visitor().post("/answered", { token });
    const confirm = { ...(await openForm(grace, "/admin", "mark", "It was answered")), state: "done" };
    expect((await grace.post("/admin", confirm)).status).toBe(303);
    expect(await world.read(address)).toMatch(/Status Done/);
  });
});

describe("a data rights request", () => {
  it("returns the typed text when another admin has changed or closed it", async () => {
    const address = await world.openRequest("other", `${randomUUID()}@a.example`);
    const text = "We did it all.";
    const shown = (await grace.get(address)).html;
    await world.admin.post(address, await openForm(world.admin, address, "startWork"));
    const refused = await grace.post(address, { ...formOf(shown, "complete"), text });
    expect(refused.status).toBe(409);
    expect(titleOf(refused.html)).toMatch(/^Error: Data rights request DR-/);
    expect(refused.html).toContain(`${text}</textarea>`);
    // A note needs no current page, and a download changes nothing.
    expect((await grace.post(address, { ...formOf(shown, "note"), text: "Called." })).status).toBe(303);
    await grace.post(`${address}/package`, { format: "json" });

    const completion = await openForm(world.admin, address, "complete");
    expect((await world.admin.post(address, { ...completion, text: "Done." })).status).toBe(303);
    const late = await grace.post(address, { ...formOf(refused.html, "complete"), text });
    expectPage(late, 409, "Your text (not sent)");
    expect(late.html).toMatch(/<textarea[^>]*readOnly=""[^>]*>We did it all\.<\/textarea>/i);
  });
});

describe("a saved text", () => {
  it("shows both versions after another admin's change, and can be added again after a deletion", async () => {
    const path = "/admin/snippets";
    const name = randomUUID();
    const post = (admin: Visitor, form: Record<string, string>, body: string) =>
      admin.post(path, { ...form, name, body });
    await post(world.admin, { intent: "save" }, "First");
    const shown = await openForm(grace, path, "save", name);
    await post(world.admin, await openForm(world.admin, path, "save", name), "Second");
    const conflict = await post(grace, shown, "Third");
    expectPage(conflict, 409, `Stored now: ${name} Second`);
    expect(conflict.html).toContain("Third</textarea>");
    expect((await post(grace, formOf(conflict.html, "save", name), "Third")).status).toBe(303);
    const last = (await grace.get(path)).html;
    await world.admin.post(path, { ...formOf(last, "delete", name), confirmed: "yes" });
    const gone = await post(grace, formOf(last, "save", name), "Fourth");
    expect([gone.status, gone.html.includes("Fourth</textarea>")]).toEqual([404, true]);
    const { id: _gone, ...anew } = formOf(gone.html, "save", "Fourth");
    expect((await post(grace, anew, "Fourth")).status).toBe(303);
  });
});
