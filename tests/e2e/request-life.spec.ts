import { expect } from "playwright/test";
import { dataRightsRequestTypes } from "#supabase/functions/_shared/data-rights-request";
import { test } from "./support/worker";

// Data rights requests from receipt to result, without scripts, with their own product and mail server.
test.describe.configure({ mode: "serial", timeout: 120_000 });

for (const type of dataRightsRequestTypes.filter((name) => name !== "erasure")) testRequestLife(type);

test("a complaint is handled from receipt to result without a confirmation", async ({ life }) => {
  const { requester, admin } = life;
  const email = "complaint@person.example";
  await life.send("complaint", email);
  const acknowledgement = await life.waitForMail(email, /^We have received your complaint DR-/);
  expect(acknowledgement).not.toContain("/data-rights/confirm");
  const status = /\/data-rights\/status\?token=[\w-]+/.exec(acknowledgement)?.[0] ?? "";
  await requester.goto(status);
  await expect(requester.locator("main")).toContainText("We’re looking into your complaint");

  await life.openRequest("open");
  await expect(admin.getByRole("heading", { name: "What you can do" })).toBeVisible();
  await expect(admin.getByText("Erase", { exact: false })).toHaveCount(0);
  await admin.getByRole("button", { name: "Start work" }).click();
  await life.act("Send the outcome of the complaint", "Outcome", "You are right.", "Send the outcome");
  expect(await life.waitForMail(email, /^Your complaint DR-\S+: the outcome$/)).toContain("You are right.");
  await requester.goto(status);
  await expect(requester.locator("main")).toContainText("Answered");
});

test("a request by letter is entered by the admin, and the requester downloads the data", async ({ life }) => {
  const { requester, admin } = life;
  const email = "letter@person.example";
  await life.leaveTraces(email);
  await admin.goto("/admin/requests");
  await admin.getByRole("link", { name: "Enter a request that came by letter, phone or email" }).click();
  await admin.getByLabel("Full name").fill("Katherine Johnson");
  await admin.getByLabel("Email", { exact: true }).fill(email);
  await admin.getByLabel("Request type").selectOption("access");
  await admin.getByLabel("Details").fill("By letter: what do you hold about me?");
  await admin.getByLabel("How it arrived").selectOption("letter");
  await admin.getByLabel("Date received").fill(new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10));
  await admin.getByLabel("I have verified this person’s identity").check();
  await admin.getByRole("button", { name: "Enter request" }).click();
  await expect(admin.locator("[data-notice=success]")).toBeVisible();
  await expect(admin.locator("dd", { hasText: /^Open$/ })).toBeVisible();

  const acknowledgement = await life.waitForMail(email, /DR-/);
  expect(acknowledgement).not.toContain("/data-rights/confirm");
  const status = /\/data-rights\/status\?token=[\w-]+/.exec(acknowledgement)?.[0] ?? "";
  await requester.goto(status);
  await expect(requester.locator("main")).toContainText("DR-");
  await life.act("Hand over the data", "Message to the requester", "Here is your copy.", "Hand over");
  expect(await life.waitForMail(email, /your data is ready/)).toContain("Here is your copy.");
  await requester.goto(status);
  await requester.getByRole("button", { name: "Email me the link to my data" }).click();
  await expect(requester.getByText("Check your email")).toBeVisible();
  const mailed = await life.waitForMail(email, /the link to your data/);
  await requester.goto(/\/data-rights\/package\?token=[\w-]+/.exec(mailed)?.[0] ?? "");
  for (const button of ["Download as a readable page", "Download for programs (JSON)"])
    expect(await life.download(requester, button)).toContain(`Written by ${email}`);
});

// Last, because it opens the product's database, and the product has to stop for that.
testRequestLife("erasure");

function testRequestLife(type: (typeof dataRightsRequestTypes)[number]): void {
  test(`a data rights request of type ${type} is handled from receipt to result`, async ({ life }) => {
    const { requester, admin } = life;
    const email = `${type}@person.example`;
    await life.leaveTraces(email);
    await life.send(type, email);
    const links = await life.readLinks(email);
    await requester.goto(links.confirm);
    await requester.getByRole("button", { name: "Confirm my request" }).click();
    await expect(requester.getByText("Request confirmed")).toBeVisible();

    await life.openRequest("open");
    await expect(admin.getByText("Confirmed", { exact: true })).toBeVisible();
    await admin.getByRole("button", { name: "Start work" }).click();
    await expect(admin.locator("dd", { hasText: "In progress" })).toBeVisible();
    await life.act("Add a note", "Note", "Looked at the register.", "Add note");
    await life.answer(type, email);
    if (type === "erasure") return;

    await requester.goto(links.status);
    await expect(requester.locator("main")).toContainText(type === "object" ? "Refused" : "Answered");
  });
}
