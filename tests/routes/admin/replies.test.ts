import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { findMailFilesWith } from "../../support/find-text";
import { startSite, testAdmin } from "../../support/site";
import { readText } from "../../support/visitor";
import { expectDone, expectPage, formOf, textareaOf, valueOf } from "./support/pages";
import { openWorld } from "./support/world";

const world = openWorld(startSite);

const post = (address: string, intent: string, text: string, fields: Record<string, string> = {}) =>
  world.admin.post(address, { intent, reply: randomUUID(), text, ...fields });

describe("a reply", () => {
  it("is sent with the quoted message, shown on its page, and marks it as done, and as answered once its email was written", async () => {
    const { address, email, id, name } = await world.receive({ message: "First line\nLast line" });
    expect(await world.open("/admin")).toContain(`href="${address}?filter=waiting#reply"`);
    const html = await world.open(address);
    expect(html).toContain(`href="mailto:${email}?subject=`);
    const form = { ...formOf(html, "send"), text: "Dear visitor,\r\n\r\nwe can.\r\n" };
    expectPage(await world.admin.postAndFollow(address, form), 200, `Replied to ${name}. Open message`);
    const sent = await world.open(address);
    expect(readText(sent)).toMatch(
      /Replies Written on .{10,40} UTC by admin@\S+ (The email is waiting|No mail server is set up)/,
    );
    expect(readText(sent)).toContain("Status Done");
    expect(textareaOf(sent)).toBe("");
    await expect
      .poll(async () => (await world.repliesTo(email))[0]?.text)
      .toMatch(/^Dear visitor,\n\nwe can\.\n\nOn \w+ \d+, \d{4}, you wrote through our website:\n> First line\n/);
    await expect.poll(() => world.read(address)).toContain("the email was saved as a file");
    expect(await world.read(address)).toMatch(/Status Done Answered \w+ \d+, \d{4}/);
    expect(await world.open("/admin")).not.toContain(address);
    // Before the response, the message's mail files are deleted along with it.
    expect(await findMailFilesWith(world.site.dataDir, email)).toHaveLength(3);
    expect((await world.admin.post(address, { intent: "delete", confirmed: "yes", id })).status).toBe(303);
    expect(await findMailFilesWith(world.site.dataDir, email)).toEqual([]);
  });

  it("is sent once despite repeated posts and the Back button; a changed text comes back as a second reply", async () => {
    const { address, email } = await world.receive();
    const form = formOf(await world.open(address), "send");
    const send = (fields: Record<string, string>) => world.admin.post(address, { ...form, ...fields });
    const answers = await Promise.all([1, 2].map(() => send({ text: "We can.\r\nOn Monday.\r\n" })));
    // The Back button restores the page with the old words and a new id.
    answers.push(await send({ reply: randomUUID(), text: "We can.\nOn Monday." }));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const text = "And one thing more.";
    const other = await send({ text });
    expectPage(other, 409, "You have already sent a reply with this form");
    expect(readText(other.html)).not.toContain("Someone on your team");
    expect(textareaOf(other.html)).toBe(text);
    const again = formOf(other.html, "send");
    expect(again.reply).not.toBe(form.reply);
    expect((await send({ ...again, text })).status).toBe(303);
    const readTexts = async () => (await world.repliesTo(email)).map((mail) => mail.text.split("\n\n")[0]).toSorted();
    await expect.poll(readTexts).toEqual([text, "We can.\nOn Monday."]);
  });

  it("comes back intact when its message was deleted or marked as spam meanwhile", async () => {
    const { address, id } = await world.receive();
    for (const [change, status, words] of [
      [{ intent: "mark", state: "spam" }, 409, "That is no longer possible."],
      [{ intent: "delete", confirmed: "yes" }, 404, "You can’t reply to this message"],
    ] as const) {
      await world.admin.post(address, { ...change, id });
      for (const intent of ["send", "saveDraft"]) {
        const refused = await post(address, intent, "Too late");
        expectPage(refused, status, words);
        expect(textareaOf(refused.html)).toBe("Too late");
      }
    }
  });

  it("is not offered for held back messages until they are moved to New", async () => {
    const html = await world.open((await world.receive({ topic: "x" })).address);
    expect(textareaOf(html)).toBeUndefined();
    expect(readText(html)).toContain("Move this message to New to reply to it.");
  });
});

it("fills the form with a draft on the next visit, until the reply is sent or the draft is emptied", async () => {
  const { address } = await world.receive();
  const save = async (text: string) => world.admin.follow(await post(address, "saveDraft", text));
  const saved = await save("Half a reply");
  expectPage(saved, 200, /Draft saved .* Draft saved on .{10,40} UTC by admin@/);
  expect(textareaOf(saved.html)).toBe("Half a reply");
  const emptied = await save("");
  expectPage(emptied, 200, "Draft deleted");
  expect(textareaOf(emptied.html)).toBe("");
  await save("Half a reply");
  await post(address, "send", "A whole one");
  expect(textareaOf(await world.open(address))).toBe("");
});

describe("a saved text", () => {
  const path = "/admin/snippets";
  const save = (fields: Record<string, string>) => world.admin.post(path, { intent: "save", ...fields });

  it("is added, inserted after the typed text with the sender's first name, changed and deleted", async () => {
    const { address } = await world.receive();
    const added = await save({ name: "Thanks", body: "Dear {name},\nthank you." });
    expectDone(added, path, "snippetSaved");
    const id = valueOf((await world.admin.follow(added)).html, { name: "id" }) ?? "";
    expect(await world.open(address)).toContain(`<option value="${id}" dir="auto">Thanks</option>`);
    const insert = (text: string, snippet: string) => post(address, "insert", text, { snippet });
    const inserted = await insert("First words \n", id);
    expect([inserted.status, textareaOf(inserted.html)]).toEqual([200, "First words\n\nDear Writer,\nthank you."]);
    const full = "x".repeat(9_990);
    for (const [text, snippet, mistake] of [
      ["First words", "", "Choose the text to insert"],
      ["First words", randomUUID(), "Choose the text to insert"],
      [full, id, "This text would make the reply too long"],
    ] as const) {
      const refused = await insert(text, snippet);
      expectPage(refused, 400, mistake);
      expect(textareaOf(refused.html)).toBe(text);
    }
    await save({ id, name: "Thanks", body: "Thank you." });
    expect(textareaOf((await insert("", id)).html)).toBe("Thank you.");
    const deletion = { intent: "delete", id, name: "Thanks" };
    expectPage(await world.admin.post(path, deletion), 200, "Delete this text? Thanks");
    expectDone(await world.admin.post(path, { ...deletion, confirmed: "yes" }), path, "snippetDeleted");
    expect(await world.open(address)).not.toContain('name="snippet"');
  });

  it("comes back when its name is taken", async () => {
    await save({ name: "Taken", body: "Words" });
    const refused = await save({ name: "Taken", body: "Other words" });
    expectPage(refused, 409, "Another text already has this name.");
    expect(refused.html).toContain("Other words</textarea>");
  });
});

const signature = "Best,\nAda Hale";
const signed = (text: string) => `${text}\r\n\r\nBest,\r\nAda Hale`;

describe("a name and signature", () => {
  const account = "/admin/account";
  const save = (name: string, text: string) =>
    world.admin.post(account, { intent: "save-name", name, signature: text });

  it("is asked for, and saved with a signature, which signs the next reply, below saved texts", async () => {
    const unsigned = await world.open((await world.receive()).address);
    expect(unsigned).toContain('<a href="/admin/account#own-name-title"');
    expectDone(await save(" Ada\u200b  Hale ", `${signature.replace("\n", "\r\n")}\r\n`), account, "nameSaved");
    const form = await world.open(account);
    expect(valueOf(form, { id: "own-name" })).toBe("Ada Hale");
    expect(textareaOf(form, "own-signature")).toBe(signature);
    expect(await world.read("/admin/people")).toContain(
      `Ada Hale (${testAdmin.email}) changed their name or signature.`,
    );

    const { address, email, name } = await world.receive();
    expect(textareaOf(await world.open(address))).toBe(`\n\n${signature}`);
    const greeting = { intent: "save", name: "Hi", body: "Dear {name}!" };
    const added = await world.admin.postAndFollow("/admin/snippets", greeting);
    const reply = { reply: randomUUID(), snippet: valueOf(added.html, { name: "id" }) ?? "" };
    const inserted = await world.admin.post(address, { ...reply, intent: "insert", text: signed("") });
    expect(textareaOf(inserted.html)).toBe(`Dear ${name.split(" ")[0]}!\n\n${signature}`);
    await world.admin.post(address, { ...reply, intent: "send", text: signed("We can.") });
    expect(await world.read(address)).toMatch(new RegExp(`Written on .* by Ada Hale \\(${testAdmin.email}\\)`));
    await expect
      .poll(async () => (await world.repliesTo(email))[0]?.text)
      .toMatch(/^We can\.\n\nBest,\nAda Hale\n\nOn /);
  });

  it("is neither sent nor kept as a draft alone", async () => {
    await save("Ada Hale", signature);
    const { address } = await world.receive();
    const refused = await post(address, "send", signed(""));
    expectPage(refused, 400, "Enter your reply");
    expect(textareaOf(refused.html)).toBe(`\n\n${signature}`);
    expectDone(await post(address, "saveDraft", signed("")), `${address}?filter=waiting`, "draftDeleted");
  });
});

it("isolates visitors' text from the text around it on pages, and removes direction marks in emails", async () => {
  const message = "\u202eמה שלומך\u200f?\u2067 אנחנו";
  const { address, name, email } = await world.receive({ goal: "עברית!", message });
  const list = await world.open("/admin");
  expect(list).toContain("<bdi>עברית!</bdi>");
  expect(list).toContain(`<span class="inbox-text" dir="auto">${message}</span>`);
  const page = await world.open(address);
  const body = `<p class="message-body" dir="auto">${message}</p>`;
  for (const part of [`<bdi>${name}</bdi>`, body, " · <bdi>עברית!</bdi>"]) expect(page).toContain(part);
  const findMail = async () => (await world.mailsTo(testAdmin.email)).find(({ text }) => text.includes(email))?.text;
  await expect.poll(findMail).toContain("מה שלומך? אנחנו");
});
