import { beforeAll, describe, expect, it } from "vitest";
import { readMailsTo } from "../../support/data-rights";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { Visitor, filledContactForm, leadsTo, readText } from "../../support/visitor";

let product: RunningSite;
let admin: Visitor;

beforeAll(async () => {
  product = await shareSite();
  admin = new Visitor(product.url);
  await admin.signIn();
});

/** Enters a complaint by someone who has sent a message. @returns path of its page */
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
  return leadsTo({ headers }) ?? "";
}

describe("a complaint", () => {
  it("opens at once when entered from a letter, and needs no confirmation link", async () => {
    const email = "letter@complaints.example";
    const address = await enterComplaint(email);
    const text = readText((await admin.get(address)).html);
    expect(text).toContain("Type Complaint Status Open");
    expect(text).toMatch(/Due \w+ \d+, \d{4}/);
    const subjects = async () => (await readMailsTo(product.dataDir, email)).map(({ subject }) => subject);
    await expect.poll(subjects).toContainEqual(expect.stringMatching(/^We have received your complaint DR-/));
    const mails = await readMailsTo(product.dataDir, email);
    expect(JSON.stringify(mails)).not.toContain("/data-rights/confirm");
  });

  it("is resolved with its outcome by email, and offers no action that requires an identity", async () => {
    const email = "outcome@complaints.example";
    const address = await enterComplaint(email);
    const page = readText((await admin.get(address)).html);
    expect(page).toContain("Send the outcome of the complaint");
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
      expect((await admin.post(address, { intent, confirmed: "yes", text: "Try" })).status).toBe(409);
    expect((await admin.post(`${address}/package`, { format: "json" })).status).toBe(409);
    expect((await admin.post(address, { intent: "outcome", text: " " })).status).toBe(400);

    const answered = await admin.postAndFollow(address, {
      intent: "outcome",
      text: "You are right: we sent it twice.",
    });
    expect(readText(answered.html)).toContain("Status Completed");
    const closed = readText((await admin.get("/admin/requests?filter=closed")).html);
    expect(closed).toMatch(/Completed [A-Z][a-z]{2} \d+, \d{4} Complaint /);
    expect(closed).not.toMatch(/due [A-Z]/);
    const outcome = async () =>
      (await readMailsTo(product.dataDir, email)).find(({ subject }) =>
        /^Your complaint DR-\S+: the outcome$/.test(subject),
      )?.text;
    await expect.poll(outcome).toContain("You are right: we sent it twice.");
    expect(await outcome()).toContain("complain to a data protection authority");
  });

  it("is acknowledged again with a new status link, which replaces the old one", async () => {
    const email = "again@complaints.example";
    const address = await enterComplaint(email);
    const links = async () =>
      (await readMailsTo(product.dataDir, email)).flatMap(
        ({ text }) => /\/data-rights\/status\?token=\S+/.exec(text)?.[0] ?? [],
      );
    await expect.poll(async () => (await links()).length).toBe(1);
    const [old = ""] = await links();
    const again = await admin.postAndFollow(address, { intent: "acknowledge" });
    expect(readText(again.html)).toContain("Acknowledgement sent again");
    await expect.poll(async () => (await links()).length).toBe(2);
    const fresh = (await links()).find((link) => link !== old) ?? "";
    const visitor = new Visitor(product.url);
    expect((await visitor.get(old)).status).toBe(404);
    expect((await visitor.get(fresh)).status).toBe(200);
  });
});
