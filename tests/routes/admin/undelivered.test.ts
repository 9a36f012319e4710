import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { type MailServer, startMailServer } from "../../functions/support/mail-server";
import { startSite } from "../../support/site";
import { readText } from "../../support/visitor";
import { expectDone, expectPage, namesIn, valueOf } from "./support/pages";
import { confirmFor, openWorld } from "./support/world";

let mailServer: MailServer;
const world = openWorld(async () => {
  mailServer = await startMailServer();
  return startSite({
    SMTP_URL: mailServer.url,
    MAIL_FROM: "website@firm.example",
    CONTACT_TO: "hello@firm.example",
    POST_RATE_LIMIT: "0",
  });
});
afterAll(() => mailServer?.close());

const refuse = (address: string) => mailServer.refuse(address, 550, "5.1.1 No such user");
/** Milliseconds between looks at a page, which costs much more than a look at the mail server. */
const interval = 250;
const subjectsTo = (address: string) =>
  mailServer.received.filter(({ recipients }) => recipients.includes(address)).map(({ content }) => content.subject);
/** Finds the page of the undelivered mail that a page shows. */
const mailPath = (html: string) => /action="(\/admin\/mail\/[0-9a-f-]{36})"/.exec(html)?.[1] ?? "";

/** Receives a message and waits for its acknowledgement. @returns path of its page */
async function receiveMessage(email: string, name: string): Promise<string> {
  const { address } = await world.receive({ email, name });
  await expect.poll(() => subjectsTo(email).length).toBe(1);
  return address;
}

/** Sends a reply that its mailbox refuses. @returns path of its message's page */
async function refuseReply(email: string, name: string): Promise<string> {
  const address = await receiveMessage(email, name);
  refuse(email);
  await world.admin.post(address, { intent: "send", reply: randomUUID(), text: "We can." });
  await expect.poll(() => world.read(address), { interval }).toContain("Not delivered");
  return address;
}

describe("a reply that was not delivered", () => {
  it("stands first with its reason, is linked from the inbox, and is sent again", async () => {
    const email = "gone@a.example";
    const address = await refuseReply(email, "Gone Writer");
    await world.write({ name: "Later Writer" });
    const inbox = await world.admin.get("/admin");
    const reason = "Reply not delivered: The mailbox does not exist";
    expectPage(inbox, 200, reason, "Some emails did not arrive 1 email was not delivered.");
    expect(namesIn(inbox.html)[0]).toBe("Gone Writer");
    expect(inbox.html).toContain('href="/admin/mail"');
    const list = await world.open("/admin/mail");
    expect(readText(list)).toMatch(
      /Not delivered .* The mailbox does not exist \(“550 5\.1\.1 No such user”\)\. Message from Gone Writer/,
    );
    expect(list).toContain(`href="${address}"`);

    const page = await world.open(address);
    expect(page).toContain('<h3 id="undelivered" class="text-xl">Not delivered</h3>');
    expect(readText(page)).toMatch(/No such user”\)\. The site gave up our reply to gone@a\.example on /);
    mailServer.refuse(email, null);
    for (const _ of ["once", "twice"])
      expectDone(await world.admin.post(mailPath(page), { intent: "resend" }), address, "mailResent");
    await expect.poll(() => world.read(address), { interval }).toContain("Sent.");
  });

  it("goes to a corrected address, for the current version only; a mistake and a likely slip come back", async () => {
    const address = await refuseReply("ada@wrong.example", "Ada Wrong");
    const path = mailPath(await world.open(address));
    expect(valueOf(await world.open(path), { name: "email" })).toBe("ada@wrong.example");
    const correct = (email: string) => world.admin.post(path, { intent: "correct", email });
    expect((await world.admin.post(path, { intent: "resend", seen: "0" })).status).toBe(409);
    const refused = await correct("ada@nowhere");
    expect([refused.status, valueOf(refused.html, { name: "email" })]).toEqual([400, "ada@nowhere"]);
    expectPage(await correct("ada@gmial.com"), 400, "Did you mean ada@gmail.com?");
    expectDone(await correct("ada@right.example"), address, "mailCorrected");
    expect(await world.read(address)).toContain("corrected the address");
  });
});

it("shows a request whose answer was refused, and the corrected address", async () => {
  const email = "asker@a.example";
  const address = await world.enterRequest({ requestType: "complaint", email });
  await expect.poll(() => subjectsTo(email).length).toBe(1);
  refuse(email);
  await world.admin.post(address, { intent: "outcome", text: "We looked into it." });
  await expect.poll(() => world.read(address), { interval }).toContain("The mailbox does not exist");
  const page = await world.open(address);
  expect(readText(page)).not.toContain("No action needed");
  expect(await world.read("/admin/requests")).toContain("Reply not delivered: The mailbox does not exist");
  expectDone(
    await world.admin.post(mailPath(page), { intent: "correct", email: "asker@b.example" }),
    address,
    "mailCorrected",
  );
  expect(await world.read(address)).toContain("Corrected address for email asker@b.example");
});

it("says at People that an invitation was not delivered, and sends it again after a recent sign-in", async () => {
  const [people, email] = ["/admin/people", "new@a.example"];
  refuse(email);
  await world.admin.post(people, { intent: "invite", email });
  await expect.poll(() => world.read(people), { interval }).toContain("Not delivered: The mailbox does not exist");
  const path = mailPath(await world.open(people));
  world.ageSignIn();
  expectDone(await world.admin.post(path, { intent: "resend" }), confirmFor(people));
  const kept = await world.admin.post(path, { intent: "correct", email: "newer@a.example" });
  expect([kept.status, valueOf(kept.html, { name: "email" })]).toEqual([403, "newer@a.example"]);
  world.admin = await world.signIn();
  expectDone(await world.admin.post(path, { intent: "resend" }), people, "mailResent");
});

it("lists mail that waits for the operator", async () => {
  const patient = await receiveMessage("patient@a.example", "Patient Writer");
  mailServer.refuse("everybody", 554, "5.7.1 Relay access denied");
  await world.admin.post(patient, { intent: "send", reply: randomUUID(), text: "We can." });
  await expect
    .poll(() => world.read("/admin/mail"), { interval })
    .toMatch(
      /Waiting for the mail server .* does not let us send to this address \(“554 5\.7\.1 Relay access denied”\)\. Message from Patient Writer/,
    );
  expect(await world.read(patient)).toContain("Waiting for the mail server");
});
