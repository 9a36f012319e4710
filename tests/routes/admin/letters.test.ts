import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withDatabaseOf } from "../../support/find-text";
import { type NewMember, insertMembers } from "../../support/network";
import { findTag } from "../../support/page-source";
import { startProduct, testAdmin } from "../../support/product";
import { makeSiteFolder } from "../../support/site-folder";
import { type Answer, noticeOf, readText } from "../../support/visitor";
import { openSite, signInAdmin } from "../support/world";
import { expectDone, expectPage, seenOn, valueOf } from "./support/pages";
import { confirmFor, openWorld } from "./support/world";

const path = "/admin/network/letters";
const address = "7 Harbor Street, Portland, OR 97201";

/** Groups that tests write to, one kind of investor each, so that no test changes another's number. */
const members: NewMember[] = [
  ...Array.from({ length: 12 }, (_, n): NewMember => ({ name: `Angel ${n + 10}`, kind: "angel" })),
  ...Array.from({ length: 3 }, (_, n): NewMember => ({ name: `Lender ${n}`, kind: "lender", state: "admitted" })),
  { name: "Fund \u05d0\u05d5\u05e8", kind: "fund", fields: ["devices"] },
  { name: "Fund of AI", kind: "fund", state: "admitted" },
  { name: "Family", kind: "family-office" },
];

/** A letter that was under way in a restored backup. */
const restored = randomUUID();

const world = openWorld(async () => {
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
  return startProduct({ NETWORK_MAILS_PER_HOUR: "1" }, { dataDir });
});

const draft = {
  subject: "Two companies this fall",
  body: "Dear {name},\n\nwe met two companies.",
  toStates: ["confirmed", "admitted"],
  toKind: "lender",
  toField: "",
};
type Draft = typeof draft;

/** Posts the form of a draft as browsers do. */
function post(target: string, fields: Partial<Draft & { intent: string; letter: string; seen: string }>) {
  const { toStates, ...others } = { ...draft, ...fields };
  const states = toStates.map((state): [string, string] => ["toStates", state]);
  return world.admin.post(target, [...Object.entries(others), ...states]);
}

const postNew = (fields: Parameters<typeof post>[1]) => post(`${path}/new`, { letter: randomUUID(), ...fields });

/** Saves a new letter. @returns the path of its page */
async function write(fields: Partial<Draft> = {}): Promise<string> {
  const letter = randomUUID();
  expectDone(await postNew({ ...fields, letter, intent: "check" }), `${path}/${letter}/check`);
  return `${path}/${letter}`;
}

/** Presses a button of the page that checks a letter, as it is shown now. */
async function press(letter: string, intent: string, fields: Record<string, string> = {}): Promise<Answer> {
  return world.admin.post(`${letter}/check`, { seen: seenOn(await world.open(`${letter}/check`)), intent, ...fields });
}

const readTrials = async (subject: string) =>
  (await world.mailsTo(testAdmin.email)).filter((mail) => mail.subject === subject);

describe("a draft", () => {
  it("is written in a form without scripts, saved while incomplete, and listed", async () => {
    const html = await world.open(`${path}/new`);
    expect(html).toMatch(/<title>New letter \|/);
    expect(findTag(html, "form", { enctype: "multipart/form-data" })).toBeDefined();
    const letter = valueOf(html, { name: "letter" }) ?? "";
    const fields = { subject: " Fall \r\n news ", body: "", toStates: [], letter, intent: "save" };
    for (const _ of ["once", "twice"]) expectDone(await postNew(fields), `${path}/${letter}`, "letterSaved");
    const page = await world.open(`${path}/${letter}`);
    expect(valueOf(page, { id: "subject" })).toBe("Fall news");
    expect(page).toMatch(/<option value="lender" selected="">/);
    expect(await world.read(path)).toMatch(/Fall news Draft Saved \w{3} \d/);
    expectDone(await world.admin.get(`${path}/${letter}/check`), `${path}/${letter}`, "letterIncomplete");
  });

  it("keeps every word beside its mistake", async () => {
    const body = "k".repeat(20_001);
    const fields = { subject: "", body, toStates: ["declined"], toField: "ai", toKind: "bank" };
    const refused = await postNew({ ...fields, intent: "check" });
    const mistakes = ["Enter the subject", "Shorten the text by 1 character.", "Choose at least one group of members"];
    expectPage(refused, 400, ...mistakes, "Choose a kind of investor from the list");
    expect(refused.html).toMatch(/<title>Error: New letter \|/);
    for (const id of ["subject", "body", "toStates"]) {
      expect(findTag(refused.html, "a", { href: `#${id}` })).toBeDefined();
      expect(refused.html).toContain(`id="${id}-error"`);
    }
    expect(refused.html).toContain(`${body}</textarea>`);
    expect(refused.html).toMatch(/<option value="ai" selected="">/);
  });

  it("has 20 names at most in its text, because 20,000 characters and long names must fit into one mail", async () => {
    const most = "{name}".repeat(20);
    expect((await postNew({ body: most.padEnd(20_000, "k"), intent: "check" })).status).toBe(303);
    for (const intent of ["save", "check"])
      expectPage(await postNew({ body: `{name}${most}`, intent }), 400, "Use {name} at most 20 times in the text");
  });

  it("is not saved over another version; the page shows both", async () => {
    const letter = await write({ subject: "First", toKind: "family-office" });
    const seen = seenOn(await world.open(letter));
    await post(letter, { subject: "Theirs", body: "Their text", seen, intent: "save" });
    const conflict = await post(letter, { subject: "Mine", body: "My text", seen, intent: "save" });
    expectPage(conflict, 409, /changed while the page was open, so nothing was saved.*Stored now Theirs Their text/);
    expect(conflict.html).toContain("My text</textarea>");
    expect(valueOf(conflict.html, { id: "subject" })).toBe("Mine");
  });

  it("is deleted after a question, and comes back in a form of a new letter to a colleague who has it open", async () => {
    const letter = await write();
    const seen = seenOn(await world.open(letter));
    expectPage(await world.admin.post(letter, { intent: "delete" }), 200, "Delete this draft?");
    expectDone(await world.admin.post(letter, { intent: "delete", confirmed: "yes" }), path, "letterDeleted");
    const late = await post(letter, { body: "Kept", seen, intent: "save" });
    expectPage(late, 409, "has been deleted meanwhile");
    expect(late.html).toContain("Kept</textarea>");
    expect(findTag(late.html, "form", { method: "post", action: letter })).toBeDefined();
    expect(seenOn(late.html)).toBe("");
    expectDone(await post(letter, { body: "Kept", intent: "save" }), letter, "letterSaved");
  });
});

describe("the check", () => {
  it("shows the number, ten names and the mail, isolated and with its address and link", async () => {
    const letter = await write({ toKind: "angel", subject: "\u05e9\u05dc\u05d5\u05dd <b>all</b>" });
    const page = await world.admin.get(`${letter}/check`);
    expectPage(
      page,
      200,
      /12 members will get it Confirmed or admitted · Angel investor · All fields/,
      /Angel 10 Angel 11 .*Angel 19 and 2 more/,
      "Dear Angel, we met two companies.",
      address,
      "/network/mail?token=your-own-link",
    );
    expect(page.html).toContain('dir="auto">\u05e9\u05dc\u05d5\u05dd &lt;b&gt;all&lt;/b&gt;</p>');
    expect(page.html).not.toContain("<script");
    const none = await write({ toStates: ["admitted"], toKind: "family-office" });
    expect(await world.read(`${none}/check`)).toContain("No one gets it");
  });

  it("mails the very text to the admin, and only then offers to send it", async () => {
    const letter = await write({ subject: "Tried", toKind: "fund" });
    const check = `${letter}/check`;
    expect(await world.open(check)).not.toContain('value="send"');
    expectPage(await press(letter, "send"), 409, "to yourself first");
    expectDone(await press(letter, "try"), check, "letterTried");
    await expect.poll(async () => (await readTrials("Tried")).length).toBe(1);
    const html = await world.open(check);
    const [, shown = ""] = /class="letter-text[^>]*>([^<]*)</.exec(html) ?? [];
    const [trial] = await readTrials("Tried");
    expect(readText(trial?.text ?? "").trim()).toBe(readText(shown).trim());
    expect(html).toContain('value="send"');
    const stale = await world.admin.post(check, { intent: "try", seen: "0" });
    expectPage(stale, 409, "changed while the page was open");
    expect((await world.admin.post(check, { intent: "nonsense" })).status).toBe(400);
  });
});

describe("sending", () => {
  it("needs a recent sign-in and the number of members, happens once, and stops after a question", async () => {
    const letter = await write({ subject: "Sent once" });
    await press(letter, "try");
    const confirm = confirmFor(`${letter}/check`);
    world.ageSignIn();
    expectDone(await press(letter, "send"), confirm);
    const late = await press(letter, "send", { number: "3" });
    expect(late.status).toBe(403);
    expect(findTag(late.html, "a", { href: confirm })?.attributes.target).toBe("_blank");
    expect(valueOf(late.html, { id: "number" })).toBe("3");
    await world.admin.post(confirm, { password: testAdmin.password });

    const question = await press(letter, "send");
    expectPage(question, 200, /Send this letter to 3 members\?.*Type 3 to confirm\./);
    const send = (number: string) =>
      world.admin.post(`${letter}/check`, { seen: seenOn(question.html), intent: "send", number });
    for (const number of ["", "1e1", "33"]) {
      const wrong = await send(number);
      expectPage(wrong, number === "33" ? 409 : 400, "Type the number of members who would get it now");
      expect(valueOf(wrong.html, { id: "number" }) ?? "").toBe(number);
    }
    const two = await Promise.all([1, 2].map(() => send(" 3 ")));
    expect(two.map(noticeOf).toSorted()).toEqual(["letterSent", "letterSentBefore"]);
    const sent = /Sen[td]\w* Sent \w+ .*admin@firm\.example.* To 3 members: Confirmed or admitted/;
    expect(await world.read(letter)).toMatch(sent);
    expectDone(await world.admin.get(`${letter}/check`), letter);
    const edited = await post(letter, { body: "Late words", seen: "1", intent: "save" });
    expectPage(edited, 409, "has been sent meanwhile");
    expect(edited.html).toMatch(/readonly=""[^>]*>\n?Late words</);
    expect(await world.read("/admin/people")).toContain("sent a letter to");

    world.ageSignIn();
    expectPage(await world.admin.post(letter, { intent: "stop" }), 200, /Stop this letter\?.* of 3 members/);
    expectDone(await world.admin.post(letter, { intent: "stop", confirmed: "yes" }), letter, "letterStopped");
    const html = await world.open(letter);
    expect(readText(html)).toMatch(/Stopped \w+ .*Others [23]: /);
    expect(html).not.toContain('value="stop"');
    expect(await world.read(path)).toMatch(/Sent once Stopped: \d+ of 3/);
  });

  it("says that a restore of a backup stopped it", async () => {
    expect(await world.read(`${path}/${restored}`)).toMatch(
      /Stopped \w+ .*A backup of the site was restored .* which stopped it/,
    );
  });

  it("is off without a postal address, and says what to add", async () => {
    const bare = await signInAdmin(await openSite());
    const off = /Sending is off.*facts\.yaml.*address: /;
    expectPage(await bare.get(path), 200, "No letters yet.", off);
    const letter = randomUUID();
    await bare.post(`${path}/new`, { subject: "S", body: "B", toStates: "admitted", letter, intent: "check" });
    const check = `${path}/${letter}/check`;
    const page = await bare.get(check);
    expectPage(page, 200, off);
    expect(page.html).not.toContain('name="intent"');
    expectPage(await bare.post(check, { intent: "send", number: "0", seen: "1" }), 409, "Sending is off");
  });
});

it("is in no log", () => {
  expect(world.site.output()).not.toMatch(new RegExp(`${draft.subject}|we met two companies`));
});
