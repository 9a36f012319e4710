import { describe, expect, it } from "vitest";
import { readRequestLinks } from "../../support/data-rights";
import { findMailFilesWith } from "../../support/find-text";
import { findTag } from "../../support/page-source";
import { startSite } from "../../support/site";
import { filledContactForm, readText } from "../../support/visitor";
import { expectDone, expectPage, findMessageId, formOf, valueOf } from "./support/pages";
import { openWorld, requestByLetter } from "./support/world";

const world = openWorld(startSite);

const statusLinksTo = async (email: string) =>
  (await world.mailsTo(email)).flatMap(({ text }) => /\/data-rights\/status\?token=\S+/.exec(text)?.[0] ?? []);

describe("a request entered by an admin", () => {
  const path = "/admin/requests/new";

  it("starts its deadline at once, and sends a status link", async () => {
    expect(findTag(await world.open("/admin/requests"), "a", { href: path })).toBeDefined();
    expect(findTag(await world.open(path), "input", { type: "date" })).toBeDefined();
    const email = "letter@a.example";
    expectPage(
      await world.admin.postAndFollow(path, { ...requestByLetter(), email }),
      200,
      "Entered We are emailing the person an acknowledgement",
      "Status Open",
      requestByLetter().description,
      "Entered by an admin",
      "Arrived by letter.",
    );
    await expect.poll(() => statusLinksTo(email)).toHaveLength(1);
    expect(JSON.stringify(await world.mailsTo(email))).not.toContain("/data-rights/confirm");
  });

  it("waits for a confirmation if the admin has not verified the identity", async () => {
    await world.enterRequest({ email: "unknown@a.example", isIdentified: "" });
    const { confirm } = await readRequestLinks(world.site.dataDir, "unknown@a.example");
    expect((await world.visitor().get(confirm)).status).toBe(200);
  });
});

/** Enters a complaint by someone who has sent a message. @returns path of its page */
async function enterComplaint(email: string): Promise<string> {
  await world.write({ email });
  return world.enterRequest({ email, requestType: "complaint", description: "You wrote to me twice." });
}

describe("a complaint", () => {
  it("ends with its outcome by email, and offers no action that requires an identity", async () => {
    const email = "outcome@complaints.example";
    const address = await enterComplaint(email);
    const page = await world.read(address);
    expect(page).toContain("Send the outcome of the complaint");
    expect(page).toContain("Send the acknowledgement again");
    expect(page).not.toMatch(
      /Extend the deadline|Refuse|Complete the request|Hand over|Erase|Restrict use|Correct|Download as/,
    );
    expect((await world.admin.post(`${address}/package`, { format: "json" })).status).toBe(409);
    expect((await world.admin.post(address, { intent: "outcome", text: " " })).status).toBe(400);

    const text = "You are right: we sent it twice.";
    expectPage(await world.admin.postAndFollow(address, { intent: "outcome", text }), 200, "Status Completed");
    const closed = /Completed [A-Z][a-z]{2} \d+, \d{4} Complaint /;
    expect(await world.read("/admin/requests?filter=closed")).toMatch(closed);
    const findOutcome = async () =>
      (await world.mailsTo(email)).find(({ subject }) => /^Your complaint DR-\S+: the outcome$/.test(subject))?.text;
    await expect.poll(findOutcome).toContain(text);
  });

  it("is acknowledged again", async () => {
    const email = "again@complaints.example";
    const address = await enterComplaint(email);
    await expect.poll(() => statusLinksTo(email)).toHaveLength(1);
    const again = await world.admin.postAndFollow(address, { intent: "acknowledge" });
    expectPage(again, 200, "Acknowledgement sent again");
    await expect.poll(() => statusLinksTo(email)).toHaveLength(2);
  });
});

describe("a correction", () => {
  it("changes the stored message, also in logs and mail files", async () => {
    const email = "correct@a.example";
    await world.write({ email });
    const address = await world.openRequest("rectification", email);
    const findOld = async () => {
      const own = new Set(await findMailFilesWith(world.site.dataDir, email));
      return (await findMailFilesWith(world.site.dataDir, filledContactForm.company)).filter((name) => own.has(name));
    };
    await expect.poll(findOld).toHaveLength(1);
    const page = await world.open(address);
    expect(page).toMatch(/<title>Data rights request DR-[\w-]+ \|/);
    const submission = valueOf(page, { name: "submission" }) ?? "";
    const correct = (field: string, text: string) =>
      world.admin.post(address, { intent: "correct", submission, field, text });
    expectPage(await correct("company", " "), 400, "Enter the corrected text");
    expectPage(await correct("email", "other@a.example"), 400, "Something is missing or too long.");
    const long = await correct("company", "y".repeat(201));
    expectPage(long, 400, "Shorten the corrected text by 1 character.");
    expect(valueOf(long.html, { id: `correct-${submission}-company` })).toBe("y".repeat(201));
    expect(valueOf(long.html, { id: `correct-${submission}-goal` })).toBe(filledContactForm.goal);

    const corrected = await correct("company", "  Harbour\r\nClinics ");
    expectDone(corrected, address, "submissionCorrected");
    const { html } = await world.admin.follow(corrected);
    expect(readText(html)).toContain(`company of message ${submission}. Salted SHA-256 of the old text: `);
    expect(html).not.toContain(filledContactForm.company);
    expect(await world.read(`/admin/messages/${submission}`)).toContain("Harbour Clinics");
    expect(await findOld()).toEqual([]);
  });

  it("changes the membership of a person who has no message, for the version shown only", async () => {
    const [name, email] = ["Ada Member", "member@rights.example"];
    const member = await world.join(name, email);
    const message = findMessageId(await world.open("/admin"), name);
    await world.admin.post("/admin", { intent: "delete", confirmed: "yes", id: message });
    const address = await world.openRequest("other", email);
    const page = await world.open(address);
    expect(readText(page)).toMatch(/This will be deleted: .*1 membership in the investor network/);
    const id = member.split("/").at(-1) ?? "";
    expect(readText(page)).toContain("No messages are stored under this address.");
    const correct = (field: string, text: string) =>
      world.admin.post(address, { ...formOf(page, "correctMembership", `correct-${id}-${field}`), text });
    expectPage(await correct("place", " "), 400, "Enter the corrected text");
    const long = await correct("name", "x".repeat(101));
    expectPage(long, 400, "Shorten the corrected text by 1 character.");
    expect(valueOf(long.html, { id: `correct-${id}-name` })).toBe("x".repeat(101));
    expectDone(await correct("place", "  Ver\r\nmont "), address, "membershipCorrected");
    expect(await world.read(address)).toContain("place of the membership. Salted SHA-256 of the old text: ");
    expect((await correct("company", "Other")).status).toBe(409);
  });
});

it("keeps the message of a person who asked for their data, and has notes in the data package", async () => {
  const { email } = await world.write();
  const address = await world.openRequest("access", email);
  const page = await world.read(address);
  expect(page).not.toContain("Correct what is stored");
  expect(page).toContain("The requester sees it if they get a copy of their data.");
  const note = { intent: "note", text: "Cross on the phone." };
  expectDone(await world.admin.post(address, note), address, "requestChanged");
  expect((await world.admin.post(`${address}/package`, { format: "json" })).html).toContain("Cross on the phone.");
  expect((await world.admin.post(`${address}/package`, { format: "exe" })).status).toBe(400);

  const id = /<h3 id="submission-([0-9a-f-]{36})"/.exec(await world.open("/admin"))?.[1] ?? "";
  const refused = await world.admin.post("/admin", { intent: "delete", confirmed: "yes", id });
  expectPage(refused, 409, "This person has asked for their data.");
});

it("announces the end of a restriction with its date, and cancels that", async () => {
  const address = await world.openRequest("restrict", "restricted@a.example");
  const change = (intent: string, text: string) => world.admin.postAndFollow(address, { intent, text });
  await change("restrict", "Disputed");
  const lifted = await change("lift", "Settled");
  expectPage(lifted, 200, /Restriction ends on \w+ \d+, \d{4}/, "Restricted: stored, but not used");
  const kept = await change("keepRestriction", "Objection");
  expectPage(kept, 200, "Restriction kept");
  expect(readText(kept.html)).not.toContain("Restriction ends on");
});
