import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { company } from "~/content/company";
import { readMailsTo } from "../../support/data-rights";
import { startSite, testAdmin, type TestSite } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";
import { findTag } from "../../support/page-source";
import { answerJson, startStubProject } from "../support/stub-project";

let product: TestSite;
let admin: Visitor;

beforeAll(async () => {
  product = await startSite();
  admin = new Visitor(product.url);
  await admin.signIn();
});
afterAll(() => product.stop());

/** Receives a message. @returns its id, its page's path and its sender */
async function receiveMessage(fields: Partial<typeof filledContactForm> = {}) {
  const email = `${randomUUID()}@a.example`;
  const name = `Writer ${email.slice(0, 8)}`;
  const { status } = await new Visitor(product.url).post("/contact", { ...filledContactForm, name, email, ...fields });
  expect(status).toBe(303);
  const { html } = await admin.get(`/admin?filter=${fields.topic ? "quarantined" : "waiting"}`);
  const id = new RegExp(`<h3 id="submission-([0-9a-f-]{36})"[^>]*>${fields.name ?? name}</h3>`).exec(html)?.[1] ?? "";
  return { id, email, name, address: `/admin/messages/${id}` };
}

const replyIdOf = (html: string) => /name="reply" value="([^"]+)"/.exec(html)?.[1] ?? "";
const textareaOf = (html: string) =>
  /<textarea[^>]*id="(?:reply|kept)-text"[^>]*>\n?([^<]*)<\/textarea>/.exec(html)?.[1];
const repliesTo = async (email: string) =>
  (await readMailsTo(product.dataDir, email)).filter(({ subject }) => subject.startsWith("Re: "));

describe("a reply", () => {
  it("is sent with the quoted message, shown on its page, and marks it as done, and as answered once its email was written", async () => {
    const { address, email, id, name } = await receiveMessage({ message: "First line\n\n> quoted before\nLast line" });
    const inbox = (await admin.get("/admin")).html;
    expect(inbox).toContain(`href="${address}?filter=waiting#reply"`);
    const { html } = await admin.get(address);
    expect(html).toContain(`href="mailto:${email}?subject=`);
    const text = "Dear visitor,\r\n\r\nwe can.\r\n";
    const led = await admin.postAndFollow(address, { intent: "send", reply: replyIdOf(html), text });
    expect(readText(led.html)).toContain(`Replied to ${name}. Open message`);
    const sent = await admin.get(address);
    expect(readText(sent.html)).toMatch(
      /Replies Written on .{10,40} UTC by admin@\S+ (The email is waiting|No mail server is set up)/,
    );
    expect(readText(sent.html)).toContain("Status Done");
    expect(textareaOf(sent.html)).toBe("");
    await expect.poll(async () => (await repliesTo(email)).length).toBe(1);
    const [mail] = await repliesTo(email);
    expect(mail?.subject).toBe(`Re: Your message to ${company.name}`);
    expect(mail?.text.trimEnd()).toMatch(
      /^Dear visitor,\n\nwe can\.\n\nOn \w+ \d+, \d{4}, you wrote through our website:\n> First line\n>\n> > quoted before\n> Last line$/,
    );
    await expect.poll(async () => readText((await admin.get(address)).html)).toContain("the email was saved as a file");
    expect(readText((await admin.get(address)).html)).toMatch(/Status Done Answered \w+ \d+, \d{4}/);
    expect((await admin.get("/admin")).html).not.toContain(address);
    await admin.post(address, { intent: "delete", confirmed: "yes", id });
    await expect.poll(() => repliesTo(email)).toEqual([]);
  });

  it("is sent once despite repeated posts and the Back button; a changed text comes back as a second reply", async () => {
    const { address, email } = await receiveMessage();
    const shown = (await admin.get(address)).html;
    const seen = findTag(shown, "input", { name: "seen" })?.attributes.value ?? "";
    const form = { intent: "send", reply: replyIdOf(shown), seen, text: "We can.\r\nOn Monday.\r\n" };
    const answers = await Promise.all([1, 2].map(() => admin.post(address, form)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    // The Back button restores the page with the old words and a new id.
    const restored = { ...form, reply: replyIdOf((await admin.get(address)).html), text: "We can.\nOn Monday." };
    expect((await admin.post(address, restored)).status).toBe(303);
    const other = await admin.post(address, { ...form, text: "And one thing more." });
    expect([other.status, textareaOf(other.html)]).toEqual([409, "And one thing more."]);
    expect(readText(other.html)).toContain("You have already sent a reply with this form");
    expect(readText(other.html)).not.toContain("Someone on your team");
    const asked = {
      reply: replyIdOf(other.html),
      seen: findTag(other.html, "input", { name: "seen" })!.attributes.value!,
    };
    expect(asked.reply).not.toBe(form.reply);
    expect((await admin.post(address, { ...form, ...asked, text: "And one thing more." })).status).toBe(303);
    await expect.poll(async () => (await repliesTo(email)).length).toBe(2);
    const texts = (await repliesTo(email)).map(({ text }) => text);
    expect(texts.filter((text) => text.startsWith("We can.\nOn Monday."))).toHaveLength(1);
  });

  it("comes back with its text and instructions when it is empty or too long", async () => {
    const { address, email } = await receiveMessage();
    for (const [text, mistake] of [
      [" \n ", "Enter your reply"],
      ["x".repeat(10_001), "Shorten your reply by 1 character."],
    ] as const) {
      const refused = await admin.post(address, { intent: "send", reply: randomUUID(), text });
      expect([refused.status, textareaOf(refused.html)?.trim()]).toEqual([400, text.trim()]);
      expect(readText(refused.html)).toContain(mistake);
      expect(refused.html).toContain("<title>Error: ");
      expect(refused.html).toContain('href="#reply-text"');
    }
    expect(await repliesTo(email)).toEqual([]);
  });

  it("keeps markup as text, and injects no header", async () => {
    const text = "</textarea><script>alert(1)</script>\nSubject: You won\nBcc: everybody@b.example";
    const { address, email } = await receiveMessage();
    const kept = await admin.post(address, { intent: "insert", reply: randomUUID(), text });
    expect(kept.html).not.toContain("<script");
    expect(textareaOf(kept.html)?.replaceAll("&lt;", "<").replaceAll("&gt;", ">")).toBe(text);
    await admin.post(address, { intent: "send", reply: randomUUID(), text });
    await expect.poll(async () => (await repliesTo(email)).length).toBe(1);
    expect((await repliesTo(email))[0]).toMatchObject({
      subject: `Re: Your message to ${company.name}`,
      text: expect.stringContaining(text),
    });
    expect(await readMailsTo(product.dataDir, "everybody@b.example")).toEqual([]);
  });

  it("comes back intact after the session ended, and is sent by its id afterwards", async () => {
    const { address, email } = await receiveMessage();
    const writer = new Visitor(product.url);
    await writer.signIn();
    const form = { intent: "send", reply: replyIdOf((await writer.get(address)).html), text: "Words of an hour" };
    await writer.post("/logout", {});
    for (const intent of ["send", "saveDraft", "insert"]) {
      const refused = await writer.post(address, { ...form, intent });
      expect([refused.status, refused.headers.get("cache-control")]).toEqual([403, "no-store, no-transform"]);
      expect([textareaOf(refused.html), replyIdOf(refused.html)]).toEqual([form.text, form.reply]);
      expect(readText(refused.html)).toContain("Your session has ended.");
      expect(readText(refused.html)).toContain(intent === "send" ? "Nothing was sent" : "Nothing was saved");
      expect(refused.html).not.toContain(email);
    }
    await admin.post(address, form);
    await expect.poll(async () => (await repliesTo(email)).length).toBe(1);
  });

  it("comes back intact when its message was deleted or marked as spam meanwhile", async () => {
    const { address, id } = await receiveMessage();
    for (const [change, status, words] of [
      [{ intent: "mark", state: "spam" }, 409, "That is no longer possible."],
      [{ intent: "delete", confirmed: "yes" }, 404, "You can’t reply to this message"],
    ] as const) {
      await admin.post(address, { ...change, id });
      for (const intent of ["send", "saveDraft"]) {
        const refused = await admin.post(address, { intent, reply: randomUUID(), text: "Too late" });
        expect([refused.status, textareaOf(refused.html)]).toEqual([status, "Too late"]);
        expect(readText(refused.html)).toContain(words);
      }
    }
    expect((await admin.post("/admin/messages/nonsense", { intent: "send", reply: randomUUID() })).status).toBe(404);
  });

  it("is not offered for spam or held back messages until they are moved to New", async () => {
    const { address } = await receiveMessage({ topic: "x" });
    const { html } = await admin.get(address);
    expect(textareaOf(html)).toBeUndefined();
    expect(readText(html)).toContain("Move this message to New to reply to it.");
  });
});

describe("a draft", () => {
  it("fills the form on the next visit, and disappears when the reply is sent or it is emptied", async () => {
    const { address } = await receiveMessage();
    const save = (text: string) => admin.postAndFollow(address, { intent: "saveDraft", reply: randomUUID(), text });
    const saved = await save("Half a reply");
    expect(readText(saved.html)).toMatch(/Draft saved .* Draft saved on .{10,40} UTC by admin@/);
    expect(textareaOf(saved.html)).toBe("Half a reply");
    expect(readText(saved.html)).not.toMatch(/Status Done/);
    const emptied = await save("");
    expect([readText(emptied.html), textareaOf(emptied.html)]).toEqual([expect.stringContaining("Draft deleted"), ""]);
    await admin.post(address, { intent: "saveDraft", reply: randomUUID(), text: "Half a reply" });
    await admin.post(address, { intent: "send", reply: randomUUID(), text: "A whole one" });
    expect(textareaOf((await admin.get(address)).html)).toBe("");
  });
});

describe("a snippet", () => {
  it("is added, inserted after the typed text with the sender's first name, changed and deleted", async () => {
    const { address } = await receiveMessage();
    const added = await admin.postAndFollow("/admin/snippets", {
      intent: "save",
      name: "Thanks",
      body: "Dear {name},\nthank you.",
    });
    const id = /name="id" value="([0-9a-f-]{36})"/.exec(added.html)?.[1] ?? "";
    expect((await admin.get(address)).html).toContain(`<option value="${id}" dir="auto">Thanks</option>`);
    const insert = (text: string, snippet: string) =>
      admin.post(address, { intent: "insert", reply: randomUUID(), text, snippet });
    const inserted = await insert("First words \n", id);
    expect([inserted.status, textareaOf(inserted.html)]).toEqual([200, "First words\n\nDear Writer,\nthank you."]);
    for (const snippet of ["", randomUUID()]) {
      const refused = await insert("First words", snippet);
      expect([refused.status, textareaOf(refused.html)]).toEqual([400, "First words"]);
      expect(readText(refused.html)).toContain("Choose the text to insert");
    }
    const full = "x".repeat(9_990);
    const tooMuch = await insert(full, id);
    expect([tooMuch.status, textareaOf(tooMuch.html)]).toEqual([400, full]);
    expect(readText(tooMuch.html)).toContain("This text would make the reply too long");
    await admin.post("/admin/snippets", { intent: "save", id, name: "Thanks", body: "Thank you." });
    expect(textareaOf((await insert("", id)).html)).toBe("Thank you.");
    await admin.post("/admin/snippets", { intent: "delete", confirmed: "yes", id });
    expect((await admin.post("/admin/snippets", { intent: "delete", confirmed: "yes", id })).status).toBe(404);
    expect((await admin.get(address)).html).not.toContain('name="snippet"');
  });
});

it("returns a reply intact while the backend is down", async () => {
  const user = { id: randomUUID(), aud: "authenticated", email: testAdmin.email, app_metadata: {}, user_metadata: {} };
  const project = await startStubProject((call, response, request) =>
    answerJson(...responseFor(call.path, user))(call, response, request),
  );
  const site = await startSite(project.settings);
  try {
    const writer = new Visitor(site.url);
    const session = { access_token: "a.b.c", refresh_token: "refreshtoken", expires_at: 4e9, expires_in: 3600, user };
    writer.setCookie("admin-session", `base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}`);
    const send = () =>
      writer.post(`/admin/messages/${randomUUID()}`, { intent: "send", reply: randomUUID(), text: "Kept words" });
    const withoutDatabase = await send();
    project.become(answerJson(503, {}));
    const withoutBackend = await send();
    for (const { status, html } of [withoutDatabase, withoutBackend])
      expect([status, textareaOf(html)]).toEqual([503, "Kept words"]);
    expect(readText(withoutBackend.html)).toContain("The site’s database is not responding.");
  } finally {
    await site.stop();
    await project.close();
  }
});

function responseFor(path: string, user: object): [number, unknown] {
  if (path.startsWith("/auth/v1/user")) return [200, user];
  return path.includes("admin_standing") ? [200, "admin"] : [503, { code: "PGRST002", message: "no schema cache" }];
}
