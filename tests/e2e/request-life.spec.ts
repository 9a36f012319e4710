import type { Browser, Page } from "playwright/test";
import type { DataRightsRequestType } from "#supabase/functions/_shared/data-rights-request";
import { Visitor, filledContactForm } from "../support/visitor";
import { type AccountSite, expect, test, waitForMail } from "./support/account-site";
import { fillRequestForm, signIn } from "./support/forms";

const email = "katherine@person.example";

/** Sends and confirms a data rights request, and starts work on it as an admin. */
async function startRequest(browser: Browser, requester: Page, site: AccountSite, type: DataRightsRequestType) {
  await new Visitor(site.url).post("/contact", { ...filledContactForm, email, message: `Written by ${email}` });
  await requester.goto("/data-rights");
  await fillRequestForm(requester, { name: "Katherine Johnson", email, requestType: type });
  await requester.getByRole("button", { name: "Submit Request" }).click();
  await expect(requester.getByText("Request Submitted")).toBeVisible();
  const mail = await waitForMail(site, email, /please confirm/);
  await requester.goto(findLink(mail, "confirm"));
  await requester.getByRole("button", { name: "Confirm my request" }).click();
  await expect(requester.getByText("Request confirmed")).toBeVisible();

  const admin = await browser.newPage({ baseURL: site.url, javaScriptEnabled: false });
  await signIn(admin, site.admin);
  await admin.goto("/admin/requests?filter=open");
  await admin.locator(".request-row").first().click();
  await expect(admin.getByText("Confirmed", { exact: true })).toBeVisible();
  await admin.getByRole("button", { name: "Start work" }).click();
  await expect(admin.locator("dd", { hasText: "In progress" })).toBeVisible();
  return { admin, status: findLink(mail, "status") };
}

/** Returns the link to a page of the data rights request. */
function findLink(mail: string, page: "confirm" | "status"): string {
  return new RegExp(`/data-rights/${page}\\?token=[\\w-]+`).exec(mail)?.[0] ?? "";
}

/** Opens one of the admin's actions, unless the page already opened it as the next step, and returns it. */
async function open(admin: Page, title: string) {
  const summary = admin.locator("summary", { hasText: title });
  const action = admin.locator("details", { has: summary });
  if ((await action.getAttribute("open")) === null) await action.locator("summary").first().click();
  return admin.getByRole("group").filter({ has: summary });
}

/** Steps of an admin: title, label, text and button, and the subject of the mail to the requester that quotes the text. */
type Step = [title: string, label: string, text: string, button: string, subject?: RegExp];

const lives: { type: DataRightsRequestType; steps: Step[]; state: string }[] = [
  {
    type: "rectification",
    steps: [
      ["Extend the deadline", "Reason", "The register is on paper.", "Extend", /needs more time/],
      ["Complete the request", "Message to the requester", "Here is our answer.", "Complete", /is complete/],
    ],
    state: "Answered",
  },
  {
    type: "object",
    steps: [["Refuse the request", "Reason", "We must keep it by law.", "Refuse", /^Your request DR-\S+$/]],
    state: "Refused",
  },
  {
    type: "restrict",
    steps: [
      ["Restrict use of the data", "Reason", "The data is disputed.", "Restrict"],
      [
        "End the restriction",
        "Reason",
        "It is settled.",
        "Announce the end",
        /the restriction ends on \w+ \d+, \d{4}$/,
      ],
    ],
    state: "In progress",
  },
];

for (const { type, steps, state } of lives)
  test(`a data rights request of type ${type} is handled from receipt to result`, async ({ browser, page, site }) => {
    const { admin, status } = await startRequest(browser, page, site, type);
    for (const [title, label, text, button, subject] of steps) {
      const action = await open(admin, title);
      await action.getByLabel(label, { exact: true }).fill(text);
      await action.getByRole("button", { name: button }).click();
      await expect(admin.locator("[data-notice=success]")).toBeVisible();
      if (subject) expect(await waitForMail(site, email, subject)).toContain(text);
    }
    await page.goto(status);
    await expect(page.locator("main")).toContainText(state);
    await admin.close();
  });

test("a data rights request of type erasure erases after a question that names what goes", async ({
  browser,
  page,
  site,
}) => {
  const { admin } = await startRequest(browser, page, site, "erasure");
  await open(admin, "Erase what this site holds about this person");
  await expect(admin.getByText(/1 message, 0 replies and drafts, 1 request \(this one\)/)).toBeVisible();
  await admin.getByRole("button", { name: "Erase permanently" }).click();
  await expect(admin.getByRole("heading", { name: "Erase this person’s data?" })).toBeVisible();
  await admin.getByRole("button", { name: "Erase permanently" }).click();
  await expect(admin.getByText("Erased", { exact: true })).toBeVisible();
  await waitForMail(site, email, /your data is erased/);
  await admin.close();
});
