import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filledDataRightsForm, readMailsTo, readRequestLinks } from "../../support/data-rights";
import { findMailFilesWith } from "../../support/find-text";
import { findTag } from "../../support/page-source";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";

let product: TestSite;
let admin: Visitor;

beforeAll(async () => {
  product = await startSite();
  admin = new Visitor(product.url);
  await admin.signIn();
});
afterAll(async () => {
  await product.stop();
});

/** A confirmed request of somebody who has written a message; the address of its page. */
async function openRequest(requestType: string, email: string): Promise<string> {
  const visitor = new Visitor(product.url);
  expect((await visitor.post("/contact", { ...filledContactForm, email })).status).toBe(303);
  await visitor.postAndFollow("/data-rights", { ...filledDataRightsForm, requestType, email });
  const { confirm, reference } = await readRequestLinks(product.dataDir, email);
  const token = new URL(confirm, product.url).searchParams.get("token") ?? "";
  expect((await visitor.post("/data-rights/confirm", { token })).status).toBe(303);
  const { html } = await admin.get("/admin/requests?filter=open");
  const [, address = ""] =
    new RegExp(`href="(/admin/requests/[0-9a-f-]{36})"[^>]*>[^<]*${reference}<`).exec(html) ?? [];
  return address;
}

/** A complaint of somebody who has written a message, entered by the admin; the address of its page. */
async function enterComplaint(email: string): Promise<string> {
  expect((await new Visitor(product.url).post("/contact", { ...filledContactForm, email })).status).toBe(303);
  const entered = {
    name: "Dorothy Vaughan",
    email,
    requestType: "complaint",
    description: "You wrote to me twice.",
    channel: "letter",
    receivedOn: new Date().toISOString().slice(0, 10),
  };
  const { status, headers } = await admin.post("/admin/requests/new", entered);
  expect(status).toBe(303);
  return headers.get("location") ?? "";
}

describe("a correction", () => {
  it("changes what is stored, as the list of messages shows, and neither the log nor a mail file has the old text", async () => {
    const address = await openRequest("rectification", "correct@a.example");
    const { dataDir } = product;
    const findOld = async () => {
      const own = new Set(await findMailFilesWith(dataDir, "correct@a.example"));
      return (await findMailFilesWith(dataDir, filledContactForm.company)).filter((name) => own.has(name));
    };
    await expect.poll(findOld, { timeout: 30_000 }).toHaveLength(1);
    const { html } = await admin.get(address);
    const submission = findTag(html, "input", { name: "submission" })?.attributes.value ?? "";
    const change = { intent: "correct", submission, field: "company", text: "  Harbour\r\nClinics " };
    const next = await admin.postAndFollow(address, change);
    const text = readText(next.html);
    expect(text).toContain("Corrected The stored message has the new text.");
    expect(text).toMatch(/company of message [0-9a-f-]{36}\. SHA-256 of the old text: [0-9a-f]{64}/);
    expect(next.html).not.toContain(filledContactForm.company);
    const list = readText((await admin.get("/admin")).html);
    expect(list).toContain("Harbour Clinics");
    expect(list).not.toContain(filledContactForm.company);
    expect(await findOld()).toEqual([]);
  });

  it.each([
    ["company", " "],
    ["company", "x".repeat(201)],
    ["message", ""],
    ["email", "other@a.example"],
    ["ip_address", "203.0.113.1"],
  ])("of %s to “%.5s” is refused", async (field, typed) => {
    const address = await openRequest("rectification", `refused-${field}-${typed.length}@a.example`);
    const submission =
      findTag((await admin.get(address)).html, "input", { name: "submission" })?.attributes.value ?? "";
    const { status, html } = await admin.post(address, { intent: "correct", submission, field, text: typed });
    expect(status).toBe(400);
    expect(readText(html)).toContain("Enter the corrected text.");
    expect(readText((await admin.get(address)).html)).not.toContain("SHA-256");
  });

  it("that is refused keeps what was typed in its own field", async () => {
    const address = await openRequest("rectification", "kept@a.example");
    const submission =
      findTag((await admin.get(address)).html, "input", { name: "submission" })?.attributes.value ?? "";
    const typed = "y".repeat(201);
    const { html } = await admin.post(address, { intent: "correct", submission, field: "company", text: typed });
    expect(findTag(html, "input", { id: `correct-${submission}-company` })?.attributes.value).toBe(typed);
    expect(findTag(html, "input", { id: `correct-${submission}-goal` })?.attributes.value).toBe(filledContactForm.goal);
  });

  it("is offered for no request that does not ask for it", async () => {
    const address = await openRequest("access", "no-correction@a.example");
    expect(readText((await admin.get(address)).html)).not.toContain("Correct what is stored");
  });
});

describe("a complaint", () => {
  it("that came by letter is open at once, and its person is told so by mail, without anything to confirm", async () => {
    const email = "letter@complaints.example";
    const address = await enterComplaint(email);
    const text = readText((await admin.get(address)).html);
    expect(text).toContain("Type Complaint State Open");
    expect(text).toMatch(/To be answered by \w+ \d+, \d{4}/);
    const subjects = async () => (await readMailsTo(product.dataDir, email)).map(({ subject }) => subject);
    await expect
      .poll(subjects, { timeout: 20_000 })
      .toContainEqual(expect.stringMatching(/^We have received your complaint DR-/));
    const mails = await readMailsTo(product.dataDir, email);
    expect(JSON.stringify(mails)).not.toContain("/data-rights/confirm");
  });

  it("is answered with its outcome by mail, and offers nothing that needs to know who wrote it", async () => {
    const email = "outcome@complaints.example";
    const address = await enterComplaint(email);
    const page = readText((await admin.get(address)).html);
    expect(page).toContain("Tell the outcome of the complaint");
    expect(page).toContain("Send the acknowledgement again");
    for (const action of [
      "Extend the deadline",
      "Refuse",
      "Complete the request",
      "Hand over",
      "Erase",
      "Restrict use",
      "Correct",
      "Download as",
    ])
      expect(page).not.toContain(action);
    for (const intent of ["erase", "restrict", "handOver"])
      expect((await admin.post(address, { intent, text: "Try" })).status).toBe(409);
    expect((await admin.post(`${address}/package`, { format: "json" })).status).toBe(409);
    expect((await admin.post(address, { intent: "outcome", text: " " })).status).toBe(400);

    const answered = await admin.postAndFollow(address, {
      intent: "outcome",
      text: "You are right: we sent it twice.",
    });
    expect(readText(answered.html)).toContain("State Completed");
    const outcome = async () =>
      (await readMailsTo(product.dataDir, email)).find(({ subject }) =>
        /^Your complaint DR-\S+: the outcome$/.test(subject),
      )?.text;
    await expect.poll(outcome, { timeout: 20_000 }).toContain("You are right: we sent it twice.");
    expect(await outcome()).toContain("complain to a data protection authority");
  });

  it("is acknowledged again with a new status link, and the old one ends", async () => {
    const email = "again@complaints.example";
    const address = await enterComplaint(email);
    const links = async () =>
      (await readMailsTo(product.dataDir, email)).flatMap(
        ({ text }) => /\/data-rights\/status\?token=\S+/.exec(text)?.[0] ?? [],
      );
    await expect.poll(async () => (await links()).length, { timeout: 20_000 }).toBe(1);
    const [old = ""] = await links();
    const again = await admin.postAndFollow(address, { intent: "acknowledge" });
    expect(readText(again.html)).toContain("Acknowledgement sent again");
    await expect.poll(async () => (await links()).length, { timeout: 20_000 }).toBe(2);
    const fresh = (await links()).find((link) => link !== old) ?? "";
    const visitor = new Visitor(product.url);
    expect((await visitor.get(old)).status).toBe(404);
    expect((await visitor.get(fresh)).status).toBe(200);
  });
});

describe("a message that its sender has asked for", () => {
  it("cannot be deleted, and the admin reads why", async () => {
    await openRequest("access", "asked@a.example");
    const { html } = await admin.get("/admin");
    const id = /<h3 id="submission-([0-9a-f-]{36})"/.exec(html)?.[1] ?? "";
    const refused = await admin.post("/admin", { intent: "delete", id });
    expect(refused.status).toBe(409);
    expect(readText(refused.html)).toContain("This person has asked for their data.");
    expect((await admin.get("/admin")).html).toContain(id);
  });
});

describe("a note", () => {
  it("is given out with the data, and the page says so before it is written", async () => {
    const address = await openRequest("access", "note@a.example");
    const hint = "The requester gets it with their data if they ask for a copy.";
    expect(readText((await admin.get(address)).html)).toContain(hint);
    await admin.postAndFollow(address, { intent: "note", text: "Sounded cross on the phone." });
    const { html } = await admin.post(`${address}/package`, { format: "json" });
    expect(html).toContain("Sounded cross on the phone.");
  });
});

describe("the end of a restriction", () => {
  it("is announced with its day and can be called off", async () => {
    const address = await openRequest("restrict", "restrict@a.example");
    await admin.postAndFollow(address, { intent: "restrict", text: "Disputed" });
    const announced = readText((await admin.postAndFollow(address, { intent: "lift", text: "Settled" })).html);
    expect(announced).toMatch(/Restriction ends on \w+ \d+, \d{4}/);
    expect(announced).toContain("Restricted: kept, but not used");
    const kept = readText((await admin.postAndFollow(address, { intent: "keepRestriction", text: "Objection" })).html);
    expect(kept).not.toContain("Restriction ends on");
    expect(kept).toContain("Restriction kept");
  });
});

describe("a request that an admin enters", () => {
  const entered = {
    name: "Katherine Johnson",
    email: "letter@a.example",
    requestType: "access",
    description: "By letter: what do you hold about me?",
    channel: "letter",
    receivedOn: new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10),
  };

  it("is linked from the list, opens with its clock running, and its person gets a status link", async () => {
    const list = await admin.get("/admin/requests");
    expect(findTag(list.html, "a", { href: "/admin/requests/new" })).toBeDefined();
    expect(findTag((await admin.get("/admin/requests/new")).html, "input", { type: "date" })).toBeDefined();
    const { html } = await admin.postAndFollow("/admin/requests/new", { ...entered, isIdentified: "on" });
    const text = readText(html);
    expect(text).toContain("Entered The person is told by email");
    for (const words of ["Open", entered.description, "Entered by an admin; how it came"])
      expect(text).toContain(words);
    const find = async () => (await readMailsTo(product.dataDir, entered.email)).map((mail) => mail.text);
    await expect.poll(find, { timeout: 20_000 }).toHaveLength(1);
    const [mail = ""] = await find();
    expect(mail).not.toContain("/data-rights/confirm");
    const status = /(\/data-rights\/status\?token=\S+)/.exec(mail)?.[1] ?? "";
    expect((await new Visitor(product.url).get(status)).status).toBe(200);
  });

  it("waits for a confirmation where the admin does not know who it is", async () => {
    await admin.postAndFollow("/admin/requests/new", { ...entered, email: "unknown@a.example" });
    const { confirm } = await readRequestLinks(product.dataDir, "unknown@a.example");
    expect((await new Visitor(product.url).get(confirm)).status).toBe(200);
  });

  it.each([
    ["receivedOn", "2020-01-01", "Enter the date the request was received"],
    ["receivedOn", "soon", "Enter the date the request was received"],
    ["channel", "pigeon", "Select how the request arrived"],
    ["email", "nobody", "Enter an email address in the correct format"],
    ["requestType", "", "Select the type of request"],
  ])("with %s “%s” is refused, and keeps what was typed", async (field, typed, mistake) => {
    const { status, html } = await admin.post("/admin/requests/new", { ...entered, [field]: typed });
    expect(status).toBe(400);
    expect(readText(html)).toContain(mistake);
    expect(html).toContain(entered.description);
    expect(findTag(html, "input", { name: "name" })?.attributes.value).toBe(entered.name);
  });

  it("is entered by nobody but an admin", async () => {
    const stranger = new Visitor(product.url);
    for (const answer of [
      await stranger.get("/admin/requests/new"),
      await stranger.post("/admin/requests/new", entered),
    ]) {
      expect(answer.status).toBe(303);
      expect(answer.headers.get("location")).toMatch(/^\/login/);
    }
  });
});
