import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MailServer, startMailServer } from "../../functions/support/mail-server";
import { filledDataRightsForm } from "../../support/data-rights";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, filledContactForm, leadsTo, readText } from "../../support/visitor";

let product: TestSite;
let mailServer: MailServer;
let admin: Visitor;

beforeAll(async () => {
  mailServer = await startMailServer();
  product = await startSite({
    SMTP_URL: mailServer.url,
    MAIL_FROM: "website@firm.example",
    CONTACT_TO: "hello@firm.example",
    POST_RATE_LIMIT: "0",
  });
  admin = new Visitor(product.url);
  await admin.signIn();
});
afterAll(async () => {
  await product?.stop();
  await mailServer?.close();
});

const refuse = (address: string) => mailServer.refuse(address, 550, "5.1.1 No such user");
/** Milliseconds between looks at a page, which costs much more than a look at the mail server. */
const interval = 250;
const textOf = async (address: string) => readText((await admin.get(address)).html);
const subjectsTo = (address: string) =>
  mailServer.received.filter(({ recipients }) => recipients.includes(address)).map(({ content }) => content.subject);
const mailIdIn = (html: string) => /action="\/admin\/mail\/([0-9a-f-]{36})"/.exec(html)?.[1] ?? "";

/** Receives a message and waits for its acknowledgement. @returns path of its page */
async function receiveMessage(email: string, name: string): Promise<string> {
  expect((await new Visitor(product.url).post("/contact", { ...filledContactForm, name, email })).status).toBe(303);
  await expect.poll(() => subjectsTo(email).length).toBe(1);
  const { html } = await admin.get("/admin");
  return `/admin/messages/${new RegExp(`<h3 id="submission-([0-9a-f-]{36})"[^>]*>${name}</h3>`).exec(html)?.[1]}`;
}

async function refuseReply(email: string, name: string) {
  const address = await receiveMessage(email, name);
  refuse(email);
  await admin.post(address, { intent: "send", reply: randomUUID(), text: "We can." });
  await expect.poll(() => textOf(address), { interval }).toContain("Not delivered");
  return address;
}

/** Page of a message that the last test replies to. */
let patient: string;

describe("a reply that was not delivered", () => {
  it("stands first with its reason, is linked from the inbox, and is sent again", async () => {
    const address = await refuseReply("gone@a.example", "Gone Writer");
    patient = await receiveMessage("patient@a.example", "Patient Writer");
    const inbox = (await admin.get("/admin")).html;
    const names = [...inbox.matchAll(/<h3 id="submission-[^>]*>([^<]+)</g)].map(([, name]) => name);
    expect(names[0]).toBe("Gone Writer");
    expect(readText(inbox)).toContain("Reply not delivered: The mailbox does not exist");
    expect(readText(inbox)).toContain("Some emails did not arrive 1 email was not delivered.");
    expect(inbox).toContain('href="/admin/mail"');
    const list = await admin.get("/admin/mail");
    expect(readText(list.html)).toMatch(
      /Not delivered .* The mailbox does not exist \(“550 5\.1\.1 No such user”\)\. Message from Gone Writer/,
    );
    expect(list.html).toContain(`href="${address}"`);

    const page = (await admin.get(address)).html;
    expect(readText(page)).toMatch(/No such user”\)\. The site gave up our reply to gone@a\.example on /);
    expect(readText(page)).not.toMatch(/Answered \w+ \d+/);
    mailServer.refuse("gone@a.example", null);
    const mail = `/admin/mail/${mailIdIn(page)}`;
    const sent = await admin.post(mail, { intent: "resend" });
    expect([sent.status, leadsTo(sent)]).toEqual([303, address]);
    expect((await admin.post(mail, { intent: "resend" })).status).toBe(303);
    await expect.poll(() => textOf(address), { interval }).toContain("Handed to the mail server.");
    expect(await textOf(address)).toMatch(/Status Done Answered \w+ \d+/);
    expect(subjectsTo("gone@a.example").filter((subject) => subject?.startsWith("Re: "))).toHaveLength(1);
    expect(await textOf("/admin/mail")).not.toContain("Gone Writer");
  });

  it("goes to a corrected address, for the current version only; a mistake comes back, and a likely slip is asked about once", async () => {
    const address = await refuseReply("ada@wrong.example", "Ada Wrong");
    const mail = `/admin/mail/${mailIdIn((await admin.get(address)).html)}`;
    expect((await admin.get(mail)).html).toContain('value="ada@wrong.example"');
    expect((await admin.post(mail, { intent: "resend", seen: "0" })).status).toBe(409);
    expect(leadsTo(await new Visitor(product.url).post(mail, { intent: "resend" }))).toBe("/login");
    expect(leadsTo(await new Visitor(product.url).get("/admin/mail"))).toBe("/login");
    expect((await admin.get(`/admin/mail/${randomUUID()}`)).status).toBe(404);
    const refused = await admin.post(mail, { intent: "correct", email: "ada@nowhere" });
    expect([refused.status, refused.html.includes('value="ada@nowhere"')]).toEqual([400, true]);
    const asked = await admin.post(mail, { intent: "correct", email: "ada@gmial.com" });
    expect(asked.status).toBe(400);
    expect(readText(asked.html)).toContain("Did you mean ada@gmail.com?");
    const sent = await admin.postAndFollow(mail, { intent: "correct", email: "ada@right.example" });
    expect(readText(sent.html)).toContain("Address corrected");
    await expect.poll(() => subjectsTo("ada@right.example")).toEqual(["Re: Your message to Vital Line Advisory"]);
    const text = await textOf(address);
    expect(text).toContain("ada@right.example");
    expect(text).toContain("corrected the address");
    expect(text).not.toContain("ada@wrong.example");
  });
});

it("reopens a request whose answer was refused, and closes it again with the answer to a corrected address", async () => {
  const email = "asker@a.example";
  await new Visitor(product.url).post("/data-rights", { ...filledDataRightsForm, requestType: "complaint", email });
  await expect.poll(() => subjectsTo(email).length).toBe(1);
  const { html } = await admin.get("/admin/requests");
  const address = /href="(\/admin\/requests\/[0-9a-f-]{36})"/.exec(html)?.[1] ?? "";
  refuse(email);
  await admin.post(address, { intent: "outcome", text: "We looked into it." });
  await expect.poll(() => textOf(address), { interval }).toContain("The mailbox does not exist");
  const page = (await admin.get(address)).html;
  expect(readText(page)).toContain("Status In progress");
  expect(readText(page)).not.toContain("No action needed");
  expect(await textOf("/admin/requests")).toContain("Reply not delivered: The mailbox does not exist");
  await admin.post(`/admin/mail/${mailIdIn(page)}`, { intent: "correct", email: "asker@b.example" });
  await expect.poll(() => subjectsTo("asker@b.example").length).toBe(1);
  await expect.poll(() => textOf(address), { interval }).toContain("handed to the mail server");
  expect(await textOf(address)).toMatch(/Status Completed .* Corrected address for email asker@b\.example/);
});

it("says at People that an invitation was not delivered, and sends it again", async () => {
  refuse("new@a.example");
  await admin.post("/admin/people", { intent: "invite", email: "new@a.example" });
  await expect.poll(() => textOf("/admin/people"), { interval }).toContain("Not delivered: The mailbox does not exist");
  mailServer.refuse("new@a.example", null);
  const { html } = await admin.get("/admin/people");
  const sent = await admin.post(`/admin/mail/${mailIdIn(html)}`, { intent: "resend" });
  expect([sent.status, leadsTo(sent)]).toEqual([303, "/admin/people"]);
  await expect.poll(() => subjectsTo("new@a.example").length).toBe(1);
  expect(await textOf("/admin/people")).not.toContain("Not delivered");
});

it("lists mail that waits for the operator, and reopens nothing", async () => {
  mailServer.refuse("everybody", 554, "5.7.1 Relay access denied");
  await admin.post(patient, { intent: "send", reply: randomUUID(), text: "We can." });
  await expect.poll(() => textOf("/admin/mail"), { interval }).toContain("Patient Writer");
  expect(await textOf("/admin/mail")).toMatch(
    /Waiting for the mail server .* does not let us send to this address \(“554 5\.7\.1 Relay access denied”\)\. Message from Patient Writer/,
  );
  expect(await textOf(patient)).toMatch(/Waiting for the mail server .* Status Done/);
  mailServer.refuse("everybody", null);
  const { html } = await admin.get(patient);
  await admin.post(`/admin/mail/${mailIdIn(html)}`, { intent: "resend" });
  await expect.poll(() => textOf(patient), { interval }).toContain("Handed to the mail server.");
});
