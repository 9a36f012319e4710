import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filledDataRightsForm, readMailsTo, readRequestLinks } from "../../support/data-rights";
import { findTags, readTexts } from "../../support/page-source";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";

let site: TestSite;
let ada: Visitor;
let grace: Visitor;

beforeAll(async () => {
  site = await startSite();
  [ada, grace] = [new Visitor(site.url), new Visitor(site.url)];
  await ada.signIn();
  await grace.signIn();
});
afterAll(() => site.stop());

/** The hidden fields of the form whose button sends this intent, as the page has them. */
function formOf(html: string, intent: string, marks: string = ""): Record<string, string> {
  const form = html.split("<form").find((part) => part.includes(`value="${intent}"`) && part.includes(marks)) ?? "";
  const hidden = findTags(`<form${form}`, "input").filter(({ attributes }) => attributes.type === "hidden");
  return { ...Object.fromEntries(hidden.map(({ attributes }) => [attributes.name, attributes.value ?? ""])), intent };
}

const titleOf = (html: string) => readTexts(html, "title")[0];

async function receiveMessage(fields: Partial<typeof filledContactForm> = {}) {
  const email = `${randomUUID()}@a.example`;
  await new Visitor(site.url).post("/contact", { ...filledContactForm, name: `Writer ${email}`, email, ...fields });
  const { html } = await ada.get("/admin");
  const id = new RegExp(`<h3 id="submission-([0-9a-f-]{36})"[^>]*>Writer ${email}</h3>`).exec(html)?.[1] ?? "";
  return { id, email, address: `/admin/messages/${id}` };
}

const repliesTo = async (email: string) =>
  (await readMailsTo(site.dataDir, email)).filter(({ subject }) => subject.startsWith("Re: "));

describe("a reply to a message that was answered meanwhile", () => {
  it("comes back with the other reply and its own words, and one press sends it all the same", async () => {
    const { address, email } = await receiveMessage();
    const shown = formOf((await grace.get(address)).html, "send");
    const first = formOf((await ada.get(address)).html, "send");
    expect((await ada.post(address, { ...first, text: "The price is 1." })).status).toBe(303);

    const asked = await grace.post(address, { ...shown, text: "The price is 2." });
    expect([asked.status, titleOf(asked.html)?.startsWith("Error: ")]).toEqual([409, true]);
    const text = readText(asked.html);
    expect(text).toContain("Send anyway?");
    expect(text).toMatch(/replied, admin@firm\.example\. The other reply: The price is 1\./);
    expect(asked.html).toMatch(/<textarea[^>]*id="reply-text"[^>]*>\n?The price is 2\.<\/textarea>/);
    expect(asked.html).toMatch(/<button name="intent" value="send"[^>]*>Send anyway</);

    const again = formOf(asked.html, "send");
    expect(again.reply).toBe(shown.reply);
    expect((await grace.post(address, { ...again, text: "The price is 2." })).status).toBe(303);
    await expect.poll(async () => (await repliesTo(email)).length, { timeout: 20_000 }).toBe(2);
  });

  it("asks also after a mistake and an inserted text, which do not count as having seen it", async () => {
    const { address } = await receiveMessage();
    const shown = formOf((await grace.get(address)).html, "send");
    expect((await ada.post(address, { ...formOf((await ada.get(address)).html, "send"), text: "Yes." })).status).toBe(
      303,
    );
    const empty = await grace.post(address, { ...shown, text: " " });
    expect(empty.status).toBe(400);
    const asked = await grace.post(address, { ...formOf(empty.html, "send"), text: "No." });
    expect([asked.status, readText(asked.html).includes("Send anyway?")]).toEqual([409, true]);
  });

  it("asks after a change of the state and after a colleague's draft, and shows that", async () => {
    const { id, address } = await receiveMessage();
    const shown = formOf((await grace.get(address)).html, "send");
    await ada.post(address, { intent: "mark", id, state: "done" });
    const asked = await grace.post(address, { ...shown, text: "Words" });
    expect([asked.status, readText(asked.html)]).toEqual([
      409,
      expect.stringMatching(/Send anyway\? .*: marked as done, admin@/),
    ]);
    const again = formOf(asked.html, "send");
    await ada.post(address, { ...formOf((await ada.get(address)).html, "saveDraft"), text: "A colleague's draft" });
    const drafted = await grace.post(address, { ...again, text: "Words" });
    expect([drafted.status, readText(drafted.html)]).toEqual([
      409,
      expect.stringContaining("admin@firm.example: A colleague's draft"),
    ]);
    expect(readText(drafted.html)).not.toContain("done, admin@firm.example. The draft");
    const saved = await grace.post(address, { ...formOf(drafted.html, "saveDraft"), text: "Words" });
    expect(saved.status).toBe(303);
  });
});

describe("a message", () => {
  it("changed meanwhile is left alone, in the list and on its page, and shown as it is now", async () => {
    const { id, address } = await receiveMessage();
    const list = (await grace.get("/admin")).html;
    const page = (await grace.get(address)).html;
    await ada.post("/admin", { intent: "mark", id, state: "spam" });
    const listed = { ...formOf(list, "mark", id), state: "done" };
    const inList = await grace.post("/admin?filter=all", listed);
    expect([inList.status, readText(inList.html).includes("Someone changed this while the page was open")]).toEqual([
      409,
      true,
    ]);
    expect(titleOf(inList.html)).toBe(
      "Error: Admin Dashboard | [Company]".replace("[Company]", titleOf(list)?.split(" | ")[1] ?? ""),
    );
    const deleted = await grace.post(address, formOf(page, "delete"));
    expect(deleted.status).toBe(409);
    expect(readText(deleted.html)).toMatch(/Status Spam/);
    // The page that says so has the form for it as it is now.
    expect((await grace.post(address, formOf(deleted.html, "delete"))).status).toBe(303);
  });

  it("that both put into one state, or one of them twice, is no conflict", async () => {
    const { id } = await receiveMessage();
    const form = { ...formOf((await grace.get("/admin")).html, "mark", id), state: "in_progress" };
    for (const admin of [ada, grace, grace]) expect((await admin.post("/admin", form)).status).toBe(303);
  });

  it("marked by the link in a mail says so until an admin has seen it, and goes back at a press", async () => {
    const { id, address, email } = await receiveMessage();
    const linkOf = async () => {
      const mails = await readMailsTo(site.dataDir, "admin@firm.example");
      const mail = mails.find(({ text }) => text.includes(email));
      return /(\/answered\?token=[\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
    };
    await expect.poll(linkOf, { timeout: 20_000 }).not.toBe("");
    const link = await linkOf();
    const token = link.split("=")[1] ?? "";
    // A scanner: no session, no page, only the press.
    expect((await new Visitor(site.url).post("/answered", { token })).status).toBe(303);
    const title = "Marked as answered by the link in an email";
    const inbox = (await ada.get("/admin")).html;
    expect(readText(inbox)).toContain(title);
    expect(readText((await ada.get(address)).html)).toContain(title);
    const undo: Record<string, string> = { ...formOf(inbox, "mark", "Not answered"), state: "new" };
    expect(undo.id).toBe(id);
    expect((await ada.post("/admin", undo)).status).toBe(303);
    const undone = (await ada.get("/admin")).html;
    expect(readText(undone)).not.toContain(title);
    expect(undone).toContain(`submission-${id}`);

    await new Visitor(site.url).post("/answered", { token });
    const seen = { ...formOf((await grace.get("/admin")).html, "mark", "It was answered"), state: "done" };
    expect((await grace.post("/admin", seen)).status).toBe(303);
    const after = (await grace.get("/admin")).html;
    expect([readText(after).includes(title), after.includes(`submission-${id}`)]).toEqual([false, false]);
  });
});

describe("a request", () => {
  it("closed meanwhile keeps the other's words to copy, and changed meanwhile takes them at the next press", async () => {
    const email = `${randomUUID()}@a.example`;
    await new Visitor(site.url).post("/data-rights", { ...filledDataRightsForm, email, requestType: "other" });
    const { confirm, reference } = await readRequestLinks(site.dataDir, email);
    await new Visitor(site.url).post("/data-rights/confirm", { token: confirm.split("=")[1] ?? "" });
    const open = (await ada.get("/admin/requests?filter=open")).html;
    const [, address = ""] =
      new RegExp(`href="(/admin/requests/[0-9a-f-]{36})"[^>]*>[^<]*${reference}<`).exec(open) ?? [];
    const shown = (await grace.get(address)).html;
    await ada.post(address, formOf((await ada.get(address)).html, "startWork"));
    const refused = await grace.post(address, { ...formOf(shown, "complete"), text: "We did it all." });
    expect([refused.status, titleOf(refused.html)]).toEqual([
      409,
      expect.stringContaining(`Error: Data rights request ${reference}`),
    ]);
    expect(refused.html).toContain("We did it all.</textarea>");
    // A note needs no look at anything, and a download changes nothing.
    expect((await grace.post(address, { ...formOf(shown, "note"), text: "Called." })).status).toBe(303);
    await grace.post(`${address}/package`, { format: "json" });

    const again = formOf(refused.html, "complete");
    expect(
      (await ada.post(address, { ...formOf((await ada.get(address)).html, "complete"), text: "Done." })).status,
    ).toBe(303);
    const late = await grace.post(address, { ...again, text: "We did it all." });
    expect(late.status).toBe(409);
    expect(readText(late.html)).toContain("Your text (not sent)");
    expect(late.html).toMatch(/<textarea[^>]*readOnly=""[^>]*>We did it all\.<\/textarea>/i);
  });
});

describe("a saved text", () => {
  it("changed meanwhile comes back with both texts, and one deleted meanwhile can be added anew", async () => {
    const name = randomUUID();
    await ada.post("/admin/snippets", { intent: "save", name, body: "First" });
    const page = (await grace.get("/admin/snippets")).html;
    const shown = formOf(page, "save", name);
    await ada.post("/admin/snippets", {
      ...formOf((await ada.get("/admin/snippets")).html, "save", name),
      name,
      body: "Second",
    });
    const asked = await grace.post("/admin/snippets", { ...shown, name, body: "Third" });
    expect([asked.status, readText(asked.html)]).toEqual([409, expect.stringContaining(`Stored now: ${name} Second`)]);
    expect(asked.html).toContain("Third</textarea>");
    expect((await grace.post("/admin/snippets", { ...shown, intent: "delete" })).status).toBe(409);
    expect(
      (await grace.post("/admin/snippets", { ...formOf(asked.html, "save", name), name, body: "Third" })).status,
    ).toBe(303);
    const last = (await grace.get("/admin/snippets")).html;
    await ada.post("/admin/snippets", formOf(last, "delete", name));
    const gone = await grace.post("/admin/snippets", { ...formOf(last, "save", name), name, body: "Fourth" });
    expect([gone.status, gone.html.includes("Fourth</textarea>")]).toEqual([404, true]);
    const { id: _gone, ...anew } = formOf(gone.html, "save", "Fourth");
    expect((await grace.post("/admin/snippets", { ...anew, name, body: "Fourth" })).status).toBe(303);
  });
});

describe("people", () => {
  it("invited meanwhile are not invited twice by a list that does not show it", async () => {
    const email = `${randomUUID()}@firm.example`;
    const shown = formOf((await grace.get("/admin/people")).html, "invite");
    const first = formOf((await ada.get("/admin/people")).html, "invite");
    expect((await ada.post("/admin/people", { ...first, email })).status).toBe(303);
    const asked = await grace.post("/admin/people", { ...shown, email });
    expect([asked.status, titleOf(asked.html)?.startsWith("Error: People")]).toEqual([409, true]);
    expect(asked.html).toContain(`value="${email}"`);
    expect(readText(asked.html)).toMatch(/Someone changed this while the page was open.*Invited on/);
  });
});
