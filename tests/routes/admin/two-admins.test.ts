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

/** Reads the hidden fields of the page's form whose button sends this intent. */
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
  it("comes back with the other reply and its own text, also after an error, and is sent after confirmation", async () => {
    const { address, email } = await receiveMessage();
    const shown = formOf((await grace.get(address)).html, "send");
    const first = formOf((await ada.get(address)).html, "send");
    expect((await ada.post(address, { ...first, text: "The price is 1." })).status).toBe(303);

    const empty = await grace.post(address, { ...shown, text: " " });
    expect(empty.status).toBe(400);
    const conflict = await grace.post(address, { ...formOf(empty.html, "send"), text: "The price is 2." });
    expect([conflict.status, titleOf(conflict.html)?.startsWith("Error: ")]).toEqual([409, true]);
    const text = readText(conflict.html);
    expect(text).toContain("Send anyway?");
    expect(text).toMatch(/replied, admin@firm\.example\. The other reply: The price is 1\./);
    expect(conflict.html).toMatch(/<textarea[^>]*id="reply-text"[^>]*>\n?The price is 2\.<\/textarea>/);
    expect(conflict.html).toMatch(/<button name="intent" value="send"[^>]*>Send anyway</);

    const again = formOf(conflict.html, "send");
    expect(again.reply).toBe(shown.reply);
    expect((await grace.post(address, { ...again, text: "The price is 2." })).status).toBe(303);
    await expect.poll(async () => (await repliesTo(email)).length).toBe(2);
  });

  it("asks for confirmation after a state change and after a colleague's draft, and shows them", async () => {
    const { id, address } = await receiveMessage();
    const shown = formOf((await grace.get(address)).html, "send");
    await ada.post(address, { intent: "mark", id, state: "done" });
    const conflict = await grace.post(address, { ...shown, text: "Words" });
    expect([conflict.status, readText(conflict.html)]).toEqual([
      409,
      expect.stringMatching(/Send anyway\? .*: marked as done, admin@/),
    ]);
    const again = formOf(conflict.html, "send");
    await ada.post(address, { ...formOf((await ada.get(address)).html, "saveDraft"), text: "A colleague's draft" });
    const drafted = await grace.post(address, { ...again, text: "Words" });
    expect([drafted.status, readText(drafted.html)]).toEqual([
      409,
      expect.stringContaining("admin@firm.example: A colleague's draft"),
    ]);
    expect(readText(drafted.html)).not.toContain("done, admin@firm.example. The draft");
    expect((await grace.post(address, { ...formOf(drafted.html, "saveDraft"), text: "Words" })).status).toBe(303);
  });
});

describe("a message", () => {
  it("accepts the same state from both admins, rejects a change after another's, and shows the current state", async () => {
    const { id, address } = await receiveMessage();
    const list = (await grace.get("/admin")).html;
    const same = { ...formOf(list, "mark", id), state: "in_progress" };
    for (const admin of [ada, grace, grace]) expect((await admin.post("/admin", same)).status).toBe(303);
    const page = (await grace.get(address)).html;
    await ada.post("/admin", { intent: "mark", id, state: "spam" });
    const listed = { ...formOf(list, "mark", id), state: "done" };
    const inList = await grace.post("/admin?filter=all", listed);
    expect([inList.status, readText(inList.html).includes("Someone changed this while the page was open")]).toEqual([
      409,
      true,
    ]);
    expect(titleOf(inList.html)).toBe(`Error: ${titleOf(list)}`);
    const deleted = await grace.post(address, { ...formOf(page, "delete"), confirmed: "yes" });
    expect(deleted.status).toBe(409);
    expect(readText(deleted.html)).toMatch(/Status Spam/);
    // The page with the conflict has a form for the current state.
    expect((await grace.post(address, { ...formOf(deleted.html, "delete"), confirmed: "yes" })).status).toBe(303);
  });

  it("shows that an email's link marked it until an admin confirms or reverts that", async () => {
    const { id, address, email } = await receiveMessage();
    const linkOf = async () => {
      const mails = await readMailsTo(site.dataDir, "admin@firm.example");
      const mail = mails.find(({ text }) => text.includes(email));
      return /(\/answered\?token=[\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
    };
    await expect.poll(linkOf).not.toBe("");
    const link = await linkOf();
    const token = link.split("=")[1] ?? "";
    // A link scanner: no session and no page, only the post.
    expect((await new Visitor(site.url).post("/answered", { token })).status).toBe(303);
    const title = "Marked as answered by the link in an email";
    const inbox = (await ada.get("/admin")).html;
    expect(readText(inbox)).toContain(title);
    expect(readText((await ada.get(address)).html)).toContain(title);
    const revert: Record<string, string> = { ...formOf(inbox, "mark", "Not answered"), state: "new" };
    expect(revert.id).toBe(id);
    expect((await ada.post("/admin", revert)).status).toBe(303);
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

describe("a data rights request", () => {
  it("returns the typed text when another admin has closed or changed it", async () => {
    const email = `${randomUUID()}@a.example`;
    await new Visitor(site.url).post("/data-rights", { ...filledDataRightsForm, email, requestType: "other" });
    const { confirm, reference } = await readRequestLinks(site.dataDir, email);
    await new Visitor(site.url).post("/data-rights/confirm", { token: confirm.split("=")[1] ?? "" });
    const open = (await ada.get("/admin/requests?filter=open")).html;
    const [, address = ""] =
      new RegExp(`href="(/admin/requests/[0-9a-f-]{36})"[^>]*>(?:(?!</a>).)*${reference}<`).exec(open) ?? [];
    const shown = (await grace.get(address)).html;
    await ada.post(address, formOf((await ada.get(address)).html, "startWork"));
    const refused = await grace.post(address, { ...formOf(shown, "complete"), text: "We did it all." });
    expect([refused.status, titleOf(refused.html)]).toEqual([
      409,
      expect.stringContaining(`Error: Data rights request ${reference}`),
    ]);
    expect(refused.html).toContain("We did it all.</textarea>");
    // A note needs no current page, and a download changes nothing.
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
  it("shows both versions after another admin's change, and can be added again after a deletion", async () => {
    const name = randomUUID();
    await ada.post("/admin/snippets", { intent: "save", name, body: "First" });
    const page = (await grace.get("/admin/snippets")).html;
    const shown = formOf(page, "save", name);
    await ada.post("/admin/snippets", {
      ...formOf((await ada.get("/admin/snippets")).html, "save", name),
      name,
      body: "Second",
    });
    const conflict = await grace.post("/admin/snippets", { ...shown, name, body: "Third" });
    expect([conflict.status, readText(conflict.html)]).toEqual([
      409,
      expect.stringContaining(`Stored now: ${name} Second`),
    ]);
    expect(conflict.html).toContain("Third</textarea>");
    expect((await grace.post("/admin/snippets", { ...shown, intent: "delete", confirmed: "yes" })).status).toBe(409);
    expect(
      (await grace.post("/admin/snippets", { ...formOf(conflict.html, "save", name), name, body: "Third" })).status,
    ).toBe(303);
    const last = (await grace.get("/admin/snippets")).html;
    await ada.post("/admin/snippets", { ...formOf(last, "delete", name), confirmed: "yes" });
    const gone = await grace.post("/admin/snippets", { ...formOf(last, "save", name), name, body: "Fourth" });
    expect([gone.status, gone.html.includes("Fourth</textarea>")]).toEqual([404, true]);
    const { id: _gone, ...anew } = formOf(gone.html, "save", "Fourth");
    expect((await grace.post("/admin/snippets", { ...anew, name, body: "Fourth" })).status).toBe(303);
  });
});

describe("an invitation", () => {
  it("is not sent twice from an outdated list", async () => {
    const email = `${randomUUID()}@firm.example`;
    const shown = formOf((await grace.get("/admin/people")).html, "invite");
    const first = formOf((await ada.get("/admin/people")).html, "invite");
    expect((await ada.post("/admin/people", { ...first, email })).status).toBe(303);
    const conflict = await grace.post("/admin/people", { ...shown, email });
    expect([conflict.status, titleOf(conflict.html)?.startsWith("Error: People")]).toEqual([409, true]);
    expect(conflict.html).toContain(`value="${email}"`);
    expect(readText(conflict.html)).toMatch(/Someone changed this while the page was open.*Invited on/);
  });
});
