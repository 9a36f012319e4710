import type { Page } from "playwright/test";
import { Visitor, filledContactForm } from "../support/visitor";
import { type AccountSite, expect, signIn, test } from "./support/account-site";

const count = 20;
const nameOf = (number: number) => `Sender ${String(number).padStart(2, "0")}`;
/** Text of the row whose message is open. */
const openRow = (page: Page) => page.locator("details.inbox-row[open]");
const tab = (page: Page, name: string) => page.getByRole("navigation", { name: "Messages by state" }).getByText(name);

async function openInbox(page: Page, site: AccountSite, messages: number): Promise<void> {
  // The newest comes first: number 1.
  for (let number = messages; number >= 1; number--) {
    const name = nameOf(number);
    await new Visitor(site.url).post("/contact", { ...filledContactForm, name, email: `s${number}@a.example` });
  }
  await signIn(page, site.admin);
  await page.waitForLoadState("networkidle");
}

/** Expects the focus at an open message in view, under the notice about the message before. */
async function expectOpen(page: Page, name: string, notice: string): Promise<void> {
  await expect(page.getByText(notice)).toBeInViewport();
  await expect(openRow(page)).toHaveCount(1);
  const row = openRow(page);
  await expect(row.getByRole("heading", { name })).toBeInViewport();
  await expect(row.locator(".inbox-open")).toBeFocused();
}

test("an admin triages twenty messages with twenty-one clicks", async ({ page, site, javaScriptEnabled }) => {
  await openInbox(page, site, count);
  let documents = 0;
  page.on("request", (request) => void (request.isNavigationRequest() && (documents += 1)));
  let clicks = 0;
  const click = async (press: () => Promise<void>) => {
    clicks += 1;
    await press();
  };
  await click(() => page.getByRole("heading", { name: nameOf(1) }).click());
  for (let number = 1; number <= count; number++) {
    const button = number % 5 === 0 ? "Spam" : "Done";
    await click(() => openRow(page).getByRole("button", { name: button, exact: false }).first().click());
    const notice = `${nameOf(number)}: ${button.toLowerCase()}.`;
    if (number < count) await expectOpen(page, nameOf(number + 1), notice);
    else await expect(page.getByText(notice)).toBeVisible();
  }
  expect(clicks).toBe(count + 1);
  if (javaScriptEnabled) expect(documents).toBe(0);
  await expect(page.getByText("Nothing needs an answer.")).toBeVisible();
  await expect(tab(page, "Done (16)")).toBeVisible();
  await expect(tab(page, "Spam (4)")).toBeVisible();
});

test("an admin undoes a change, and goes on from the middle of the list", async ({ page, site }) => {
  await openInbox(page, site, 5);
  await page.getByRole("heading", { name: nameOf(3) }).click();
  await page.getByRole("button", { name: `Spam: ${nameOf(3)}` }).click();
  await expectOpen(page, nameOf(4), `${nameOf(3)}: spam.`);
  await page.getByRole("button", { name: `Undo: ${nameOf(3)}` }).click();
  await expectOpen(page, nameOf(3), `${nameOf(3)}: back in New.`);
  await expect(page.getByRole("button", { name: /^Undo/ })).toHaveCount(0);

  await page.getByRole("link", { name: `Reply: ${nameOf(3)}` }).click();
  await expect(page.getByRole("link", { name: "← Needs an answer (5)" })).toBeVisible();
  await expect(page.getByRole("link", { name: `Next: ${nameOf(4)}` })).toBeVisible();
  await page.getByRole("link", { name: `Previous: ${nameOf(2)}` }).click();
  await page.getByRole("link", { name: `Next: ${nameOf(3)}` }).click();
  await page.getByLabel("Your reply").fill("We can talk on Monday.");
  await page.getByRole("button", { name: "Send reply" }).click();
  await expectOpen(page, nameOf(4), `Replied to ${nameOf(3)}.`);
});

test("an admin triages with the keyboard", async ({ page, site }) => {
  await openInbox(page, site, 3);
  await page.locator("details.inbox-row > summary").first().focus();
  await page.keyboard.press("Enter");
  for (let number = 1; number <= 3; number++) {
    // The links with the address and to the page, Reply, then Done.
    for (let presses = 1; presses <= 4; presses++) await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: `Done: ${nameOf(number)}` })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByText(`${nameOf(number)}: done.`)).toBeVisible();
    if (number < 3) await expectOpen(page, nameOf(number + 1), `${nameOf(number)}: done.`);
  }
});

test("a deletion asks on a separate page", async ({ page, site }) => {
  await openInbox(page, site, 4);
  for (let number = 1; number <= 2; number++) {
    if (number === 1) await page.getByRole("heading", { name: nameOf(1) }).click();
    await page.getByRole("button", { name: `Spam: ${nameOf(number)}` }).click();
    await expectOpen(page, nameOf(number + 1), `${nameOf(number)}: spam.`);
  }
  await tab(page, "Spam (2)").click();
  await page.getByRole("button", { name: "Delete all 2 shown" }).click();
  await expect(page.getByRole("heading", { name: "Delete 2 messages?" })).toBeVisible();
  await page.getByRole("button", { name: "Delete permanently" }).click();
  await expect(page.getByText("No messages here.")).toBeVisible();

  await page.goto("/admin");
  await page.getByRole("heading", { name: nameOf(3) }).click();
  await openRow(page).getByText("More", { exact: true }).click();
  await page.getByRole("button", { name: `Delete permanently: ${nameOf(3)}` }).click();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: nameOf(3) })).toBeVisible();
  await page.getByRole("heading", { name: nameOf(3) }).click();
  await openRow(page).getByText("More", { exact: true }).click();
  await page.getByRole("button", { name: `Delete permanently: ${nameOf(3)}` }).click();
  await page.getByRole("button", { name: "Delete permanently" }).click();
  await expect(page.getByRole("heading", { name: nameOf(4) })).toBeVisible();
  await expect(page.getByRole("heading", { name: nameOf(3) })).toHaveCount(0);
});

test("the first screen shows six messages on a phone and twelve at a desk, and a long address fits", async ({
  page,
  site,
}) => {
  await openInbox(page, site, 13);
  const email = `${"a".repeat(64)}@${"b".repeat(7)}.example`;
  await new Visitor(site.url).post("/contact", { ...filledContactForm, name: nameOf(0), email });
  const readWidth = async () => {
    const session = await page.context().newCDPSession(page);
    const { cssContentSize } = await session.send("Page.getLayoutMetrics");
    await session.detach();
    return cssContentSize.width;
  };
  for (const [width, height, fitting] of [
    [360, 740, 6],
    [1280, 900, 12],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto("/admin");
    await expect(page.locator(".inbox-row").nth(fitting - 1)).toBeInViewport({ ratio: 1 });
  }
  for (const width of [320, 430]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto("/admin");
    await page.getByRole("heading", { name: nameOf(0) }).click();
    expect(await readWidth()).toBe(width);
    await openRow(page).getByRole("link", { name: "Open message" }).click();
    await expect(page.getByLabel("Your reply")).toBeVisible();
    expect(await readWidth()).toBe(width);
  }
  await page.emulateMedia({ media: "print" });
  await expect(page.getByLabel("Your reply")).toBeHidden();
  await expect(page.locator(".message-body").first()).toBeVisible();
});
