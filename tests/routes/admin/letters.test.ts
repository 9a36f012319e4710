import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMailsTo } from "../../support/data-rights";
import { withDatabaseOf } from "../../support/find-text";
import { type NewMember, insertMembers } from "../../support/network";
import { findTag, findTags, readTexts } from "../../support/page-source";
import { type Product, startProduct, testAdmin } from "../../support/product";
import { startSite } from "../../support/site";
import { makeSiteFolder } from "../../support/site-folder";
import { type Answer, Visitor, leadsTo, noticeOf, readText } from "../../support/visitor";
import { ageSignIn } from "../support/authenticator";

const path = "/admin/network/letters";
const address = "7 Harbor Street, Portland, OR 97201";

/** Groups that tests write to, one kind of investor each, so that no test changes another's number. */
const members: NewMember[] = [
  ...Array.from({ length: 12 }, (_, n): NewMember => ({ name: `Angel ${n + 10}`, kind: "angel" })),
  ...Array.from({ length: 3 }, (_, n): NewMember => ({ name: `Lender ${n}`, kind: "lender", state: "admitted" })),
  { name: "Fund \u05d0\u05d5\u05e8", kind: "fund", fields: ["devices"] },
  { name: "Fund of AI", kind: "fund", state: "admitted" },
  { name: "Family", kind: "family-office" },
  { name: "Asking Ann", kind: "lender", state: "asked" },
  { name: "Declined Dan", kind: "lender", state: "declined" },
];

/** A letter that was under way in a restored backup. */
const restored = randomUUID();

let site: Product;
let admin: Visitor;

beforeAll(async () => {
  const dataDir = await makeSiteFolder();
  await withDatabaseOf(dataDir, async (sql) => {
    await insertMembers(sql, members);
    await sql(
      `insert into public.network_letters
         (id, subject, body, to_states, saved_by, sent_at, sent_by, to_count, stopped_at, stopped_by_restore, footer)
       select $1, 'Restored', 'Text', '{admitted}', $1, now(), $1, 12, now(), true,
         '{"firm": "F", "address": "A", "site": "S"}' returning 1 as ok`,
      [restored],
    );
  });
  await writeFile(join(dataDir, "facts.yaml"), `address: ${address}\n`);
  // No letter is finished while its tests run.
  site = await startProduct({ NETWORK_MAILS_PER_HOUR: "1" }, { dataDir });
  admin = new Visitor(site.url);
  await admin.signIn();
});
afterAll(() => site?.stop());

interface Draft {
  subject: string;
  body: string;
  toStates: string[];
  toKind?: string;
  toField?: string;
}

const draft: Draft = {
  subject: "Two companies this fall",
  body: "Dear {name},\n\nwe met two companies.",
  toStates: ["confirmed", "admitted"],
  toKind: "lender",
};

/** Posts the form of a draft as browsers do. */
function postDraft(
  visitor: Visitor,
  target: string,
  { toStates, ...fields }: Draft & { intent: string; letter?: string; seen?: string },
): Promise<Answer> {
  return visitor.post(target, [
    ...Object.entries(fields),
    ...toStates.map((state): [string, string] => ["toStates", state]),
  ]);
}

/** Posts a draft of the largest size with this many names. */
const postNames = (names: number, intent: string) =>
  postDraft(admin, `${path}/new`, {
    ...draft,
    body: "{name}".repeat(names).padEnd(20_000, "k"),
    letter: randomUUID(),
    intent,
  });

/** Saves a new letter. @returns the path of its page */
async function write(fields: Partial<Draft> = {}): Promise<string> {
  const letter = randomUUID();
  const saved = await postDraft(admin, `${path}/new`, { ...draft, ...fields, letter, intent: "check" });
  expect(leadsTo(saved)).toBe(`${path}/${letter}/check`);
  return `${path}/${letter}`;
}

const seenOn = (html: string) => findTag(html, "input", { name: "seen" })?.attributes.value ?? "";
const valueOf = (html: string, id: string) => findTags(html, "input").find(({ attributes }) => attributes.id === id);

/** Presses a button of the page that checks a letter, as it is shown now. */
async function press(letter: string, fields: Record<string, string>): Promise<Answer> {
  const { html } = await admin.get(`${letter}/check`);
  return admin.post(`${letter}/check`, { seen: seenOn(html), ...fields });
}

const readTrials = async (subject: string) =>
  (await readMailsTo(site.dataDir, testAdmin.email)).filter((mail) => mail.subject === subject);

describe("a draft", () => {
  it("is written in a form without scripts, saved while incomplete, and listed", async () => {
    const { status, html } = await admin.get(`${path}/new`);
    expect([status, readTexts(html, "title")[0]]).toEqual([200, expect.stringMatching(/^New letter \|/)]);
    expect(html).not.toContain("<script");
    const letter = findTag(html, "input", { name: "letter" })?.attributes.value ?? "";
    const fields = { ...draft, subject: " Fall \r\n news ", body: "", toStates: [], letter, intent: "save" };
    const saved = await postDraft(admin, `${path}/new`, fields);
    expect([leadsTo(saved), noticeOf(saved)]).toEqual([`${path}/${letter}`, "letterSaved"]);
    const again = await postDraft(admin, `${path}/new`, fields);
    expect(leadsTo(again)).toBe(`${path}/${letter}`);
    const page = (await admin.follow(saved)).html;
    expect(valueOf(page, "subject")?.attributes.value).toBe("Fall news");
    expect(page).toMatch(/<option value="lender" selected="">/);
    const row = readText((await admin.get(path)).html);
    expect(row).toMatch(/Fall news Draft Saved \w{3} \d/);
    const early = await admin.get(`${path}/${letter}/check`);
    expect([leadsTo(early), noticeOf(early)]).toEqual([`${path}/${letter}`, "letterIncomplete"]);
  });

  it("keeps every word beside its mistake", async () => {
    const body = "k".repeat(20_001);
    const fields = { ...draft, subject: "", body, toStates: [], toField: "ai", letter: randomUUID(), intent: "check" };
    const { status, html } = await postDraft(admin, `${path}/new`, fields);
    const text = readText(html);
    expect([status, readTexts(html, "title")[0]]).toEqual([400, expect.stringMatching(/^Error: New letter \|/)]);
    for (const mistake of ["Enter the subject", "Shorten the text by 1 character.", "Choose at least one group"])
      expect(text).toContain(mistake);
    for (const id of ["subject", "body", "toStates"]) {
      expect(findTag(html, "a", { href: `#${id}` })).toBeDefined();
      expect(html).toContain(`id="${id}-error"`);
    }
    expect(html).toContain(`${body}</textarea>`);
    expect(html).toMatch(/<option value="ai" selected="">/);
    const odd = { ...draft, toStates: ["declined"], toKind: "bank", letter: randomUUID(), intent: "check" };
    const refused = await postDraft(admin, `${path}/new`, odd);
    expect([refused.status, readText(refused.html)]).toEqual([
      400,
      expect.stringMatching(/Choose at least one group of members Choose a kind of investor from the list/),
    ]);
  });

  it("has 20 names at most in its text, because 20,000 characters and long names must fit into one mail", async () => {
    expect((await postNames(20, "check")).status).toBe(303);
    for (const intent of ["save", "check"]) {
      const refused = await postNames(21, intent);
      expect([refused.status, readText(refused.html)]).toEqual([
        400,
        expect.stringContaining("Use {name} at most 20 times in the text"),
      ]);
    }
  });

  it("takes 20,000 characters in their longest encoding, and mails them", async () => {
    expect(findTag((await admin.get(`${path}/new`)).html, "form", { enctype: "multipart/form-data" })).toBeDefined();
    const form = new FormData();
    // As macOS stores it: three characters, which are one when composed.
    const body = "\u1112\u1161\u11ab".repeat(20_000);
    const letter = randomUUID();
    const fields = { letter, subject: "Long", body, toStates: "admitted", toKind: "lender", intent: "check" };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    expect(leadsTo(await admin.post(`${path}/new`, form))).toBe(`${path}/${letter}/check`);
    expect(noticeOf(await press(`${path}/${letter}`, { intent: "try" }))).toBe("letterTried");
    await expect.poll(async () => (await readTrials("Long")).length).toBe(1);
    expect((await readTrials("Long"))[0]?.text).toContain("\ud55c".repeat(20_000));
  });

  it("is not saved over another version; the page shows both", async () => {
    const letter = await write({ subject: "First", toKind: "family-office" });
    const { html } = await admin.get(letter);
    const mine = { ...draft, subject: "Mine", body: "My text", seen: seenOn(html), intent: "save" };
    await postDraft(admin, letter, {
      ...draft,
      subject: "Theirs",
      body: "Their text",
      seen: seenOn(html),
      intent: "save",
    });
    const conflict = await postDraft(admin, letter, mine);
    expect(conflict.status).toBe(409);
    const text = readText(conflict.html);
    expect(text).toMatch(/changed while the page was open, so nothing was saved.*Stored now Theirs Their text/);
    expect(conflict.html).toContain("My text</textarea>");
    expect(valueOf(conflict.html, "subject")?.attributes.value).toBe("Mine");
    const again = await postDraft(admin, letter, { ...mine, seen: seenOn(conflict.html) });
    expect(noticeOf(again)).toBe("letterSaved");
    expect((await admin.get(letter)).html).toContain("My text</textarea>");
  });

  it("comes back in a form of a new letter if a colleague deleted it", async () => {
    const letter = await write();
    const { html } = await admin.get(letter);
    const asked = await admin.post(letter, { intent: "delete" });
    expect([asked.status, readText(asked.html)]).toEqual([200, expect.stringContaining("Delete this draft?")]);
    const deleted = await admin.post(letter, { intent: "delete", confirmed: "yes" });
    expect([leadsTo(deleted), noticeOf(deleted)]).toEqual([path, "letterDeleted"]);
    expect((await admin.get(letter)).status).toBe(404);
    const late = await postDraft(admin, letter, { ...draft, body: "Kept", seen: seenOn(html), intent: "save" });
    expect([late.status, readText(late.html)]).toEqual([409, expect.stringContaining("has been deleted meanwhile")]);
    expect(late.html).toContain("Kept</textarea>");
    const form = findTag(late.html, "form", { method: "post" })?.attributes;
    expect([form?.action, seenOn(late.html)]).toEqual([letter, ""]);
    const saved = await postDraft(admin, letter, { ...draft, body: "Kept", intent: "save" });
    expect(leadsTo(saved)).toBe(letter);
    expect((await admin.get(letter)).html).toContain("Kept</textarea>");
  });

  it("comes back when the session has ended", async () => {
    const stranger = new Visitor(site.url);
    const lost = await postDraft(stranger, `${path}/new`, { ...draft, letter: randomUUID(), intent: "save" });
    expect([lost.status, readText(lost.html)]).toEqual([403, expect.stringContaining("Your session has ended")]);
    expect(lost.html).toContain("we met two companies.</textarea>");
  });
});

describe("the check", () => {
  it("shows the number, ten names and the mail, isolated and with its address and link", async () => {
    const letter = await write({ toKind: "angel", subject: "\u05e9\u05dc\u05d5\u05dd <b>all</b>" });
    const { html } = await admin.get(`${letter}/check`);
    const text = readText(html);
    expect(text).toMatch(/12 members will get it Confirmed or admitted · Angel investor · All fields/);
    expect(text).toMatch(/Angel 10 Angel 11 .*Angel 19 and 2 more/);
    expect(text).toContain("Dear Angel, we met two companies.");
    expect(text).toContain(address);
    expect(text).toContain("/network/mail?token=your-own-link");
    expect(html).toContain('dir="auto">\u05e9\u05dc\u05d5\u05dd &lt;b&gt;all&lt;/b&gt;</p>');
    expect(html).not.toContain("<script");
  });

  it("says that no one gets it", async () => {
    const none = await write({ toStates: ["admitted"], toKind: "family-office" });
    expect(readText((await admin.get(`${none}/check`)).html)).toContain("No one gets it");
  });

  it("mails the very text to the admin, and only then offers to send it", async () => {
    const letter = await write({ subject: "Tried", toKind: "fund" });
    const before = (await admin.get(`${letter}/check`)).html;
    expect(before).not.toContain('value="send"');
    const early = await press(letter, { intent: "send" });
    expect([early.status, readText(early.html)]).toEqual([409, expect.stringContaining("to yourself first")]);
    const tried = await press(letter, { intent: "try" });
    expect([leadsTo(tried), noticeOf(tried)]).toEqual([`${letter}/check`, "letterTried"]);
    await expect.poll(async () => (await readTrials("Tried")).length).toBe(1);
    const { html } = await admin.get(`${letter}/check`);
    const [, shown = ""] = /class="letter-text[^>]*>([^<]*)</.exec(html) ?? [];
    const [trial] = await readTrials("Tried");
    expect(readText(trial?.text ?? "").trim()).toBe(readText(shown).trim());
    expect(html).toContain('value="send"');
    // A changed text must be tried again.
    const page = (await admin.get(letter)).html;
    await postDraft(admin, letter, { ...draft, subject: "Tried", body: "Other", seen: seenOn(page), intent: "check" });
    expect((await admin.get(`${letter}/check`)).html).not.toContain('value="send"');
    const stale = await admin.post(`${letter}/check`, { intent: "try", seen: seenOn(html) });
    expect([stale.status, readText(stale.html)]).toEqual([
      409,
      expect.stringContaining("changed while the page was open"),
    ]);
    expect((await admin.post(`${letter}/check`, { intent: "nonsense" })).status).toBe(400);
  });
});

describe("sending", () => {
  it("asks for the number on a last page, and sends to that number", async () => {
    const letter = await write({ subject: "Sent once" });
    await press(letter, { intent: "try" });
    const question = await press(letter, { intent: "send" });
    expect([question.status, readText(question.html)]).toEqual([
      200,
      expect.stringMatching(/Send this letter to 3 members\?.*Type 3 to confirm\./),
    ]);
    const send = (number: string) =>
      admin.post(`${letter}/check`, { seen: seenOn(question.html), intent: "send", number });
    for (const number of ["", "33", "1e1"]) {
      const wrong = await send(number);
      expect([number, wrong.status < 500 && wrong.status >= 400]).toEqual([number, true]);
      expect(readText(wrong.html)).toContain("Type the number of members who would get it now");
      expect(findTag(wrong.html, "input", { id: "number" })?.attributes.value ?? "").toBe(number);
    }
    const two = await Promise.all([1, 2].map(() => send(" 3 ")));
    expect(two.map(noticeOf).toSorted()).toEqual(["letterSent", "letterSentBefore"]);
    expect(two.map(leadsTo)).toEqual([letter, letter]);
    const { html } = await admin.get(letter);
    expect(readText(html)).toMatch(/Sen[td]\w* Sent \w+ .*admin@firm\.example.* To 3 members: Confirmed or admitted/);
    expect(leadsTo(await admin.get(`${letter}/check`))).toBe(letter);
    const late = await postDraft(admin, letter, { ...draft, body: "Late words", seen: "1", intent: "save" });
    expect([late.status, readText(late.html)]).toEqual([409, expect.stringContaining("has been sent meanwhile")]);
    expect(late.html).toMatch(/readonly=""[^>]*>\n?Late words</);
    expect((await admin.post(letter, { intent: "delete", confirmed: "yes" })).status).toBe(409);
    expect(readText((await admin.get("/admin/people")).html)).toContain("sent a letter to");
  });

  it("needs a recent sign-in, keeps the number meanwhile, and stops without one after a question", async () => {
    const letter = await write({ subject: "To stop", toKind: "angel" });
    await press(letter, { intent: "try" });
    ageSignIn(admin, site.dataDir, 16);
    const confirm = `/admin/confirm?next=${encodeURIComponent(`${letter}/check`)}`;
    expect(leadsTo(await press(letter, { intent: "send" }))).toBe(confirm);
    const late = await press(letter, { intent: "send", number: "12" });
    expect(late.status).toBe(403);
    expect(findTag(late.html, "a", { href: confirm })?.attributes.target).toBe("_blank");
    expect(findTag(late.html, "input", { id: "number" })?.attributes.value).toBe("12");
    expect(leadsTo(await admin.post(confirm, { password: testAdmin.password }))).toBe(`${letter}/check`);
    expect(noticeOf(await press(letter, { intent: "send", number: "12" }))).toBe("letterSent");
    ageSignIn(admin, site.dataDir, 16);
    const asked = await admin.post(letter, { intent: "stop" });
    expect([asked.status, readText(asked.html)]).toEqual([
      200,
      expect.stringMatching(/Stop this letter\?.* of 12 members/),
    ]);
    const stopped = await admin.post(letter, { intent: "stop", confirmed: "yes" });
    expect([leadsTo(stopped), noticeOf(stopped)]).toEqual([letter, "letterStopped"]);
    const { html } = await admin.get(letter);
    expect(readText(html)).toMatch(/Stopped \w+ .*Others 1[12]: /);
    expect(html).not.toContain('value="stop"');
    expect(readText((await admin.get(path)).html)).toMatch(/To stop Stopped: \d+ of 12/);
    await admin.post(confirm, { password: testAdmin.password });
  });

  it("says that a restore of a backup stopped it", async () => {
    const text = readText((await admin.get(`${path}/${restored}`)).html);
    expect(text).toMatch(/Stopped \w+ .*A backup of the site was restored .* which stopped it/);
  });

  it("is off without a postal address, and says what to add", async () => {
    const bare = await startSite();
    const visitor = new Visitor(bare.url);
    await visitor.signIn();
    const empty = readText((await visitor.get(path)).html);
    const letter = `${path}/${randomUUID()}`;
    const id = letter.split("/").at(-1) ?? "";
    await postDraft(visitor, `${path}/new`, { ...draft, letter: id, intent: "check" });
    const { html } = await visitor.get(`${letter}/check`);
    const refused = await visitor.post(`${letter}/check`, { intent: "try", seen: "1" });
    const unsent = await visitor.post(`${letter}/check`, { intent: "send", number: "0", seen: "1" });
    await bare.stop();
    expect(empty).toContain("No letters yet.");
    for (const text of [empty, readText(html)]) expect(text).toMatch(/Sending is off.*facts\.yaml.*address: /);
    expect(html).not.toContain('name="intent"');
    for (const answer of [refused, unsent])
      expect([answer.status, readText(answer.html)]).toEqual([409, expect.stringContaining("Sending is off")]);
  });
});

it("is linked from the network, closed to strangers, and in no cache or log", async () => {
  const letter = await write({ subject: "Quiet subject", body: "Quiet words" });
  expect(findTag((await admin.get("/admin/network")).html, "a", { href: path })).toBeDefined();
  const stranger = new Visitor(site.url);
  for (const page of [path, `${path}/new`, letter, `${letter}/check`]) {
    expect([page, leadsTo(await stranger.get(page))]).toEqual([page, "/login"]);
    const { headers } = await admin.get(page);
    expect([page, headers.get("cache-control")]).toEqual([page, expect.stringContaining("no-store")]);
  }
  for (const intent of ["try", "send"])
    expect(leadsTo(await stranger.post(`${letter}/check`, { intent, number: "3" }))).toBe("/login");
  for (const intent of ["delete", "stop"])
    expect(leadsTo(await stranger.post(letter, { intent, confirmed: "yes" }))).toBe("/login");
  for (const page of [`${path}/nonsense`, `${path}/${randomUUID()}`, `${path}/nonsense/check`])
    expect([page, (await admin.get(page)).status]).toEqual([page, 404]);
  expect(site.output()).not.toMatch(/Quiet (subject|words)/);
});
