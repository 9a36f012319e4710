import type { Page } from "playwright/test";
import { Visitor, filledContactForm } from "../support/visitor";
import { type AccountSite, expect, test } from "./support/account-site";
import { signIn } from "./support/forms";
import { waitForScripts } from "./support/late-scripts";

const nameOf = (number: number) => `Sender ${String(number).padStart(2, "0")}`;
/** The row whose message is open. */
const openRow = (page: Page) => page.locator("details.inbox-row[open]");
const tab = (page: Page, name: string) => page.getByRole("navigation", { name: "Messages by state" }).getByText(name);

async function openInbox(page: Page, site: AccountSite, messages: number): Promise<void> {
  // The newest comes first: number 1.
  for (let number = messages; number >= 1; number--) {
    const name = nameOf(number);
    await new Visitor(site.url).post("/contact", { ...filledContactForm, name, email: `s${number}@a.example` });
  }
  await signIn(page, site.admin);
  await waitForScripts(page);
}

/** Expects the focus at an open message in view, under the notice about the message before. */
async function expectOpen(page: Page, name: string, notice: string): Promise<void> {
  await expect(page.getByText(notice)).toBeInViewport();
  await expect(openRow(page)).toHaveCount(1);
  await expect(openRow(page).getByRole("heading", { name })).toBeInViewport();
  await expect(openRow(page).locator(".inbox-open")).toBeFocused();
}

test("an admin triages messages with one click each, or with the keyboard, and the next one opens", async ({
  page,
  site,
}) => {
  const [clicks, count] = [3, 5];
  await openInbox(page, site, count);
  let documents = 0;
  page.on("request", (request) => void (request.isNavigationRequest() && (documents += 1)));
  await page.getByRole("heading", { name: nameOf(1) }).click();
  for (let number = 1; number <= count; number++) {
    const state = number === 1 ? "Spam" : "Done";
    const button = page.getByRole("button", { name: `${state}: ${nameOf(number)}` });
    if (number <= clicks) await button.click();
    else {
      // Reply, then Done.
      for (let presses = 1; presses <= 2; presses++) await page.keyboard.press("Tab");
      await expect(button).toBeFocused();
      await page.keyboard.press("Enter");
    }
    const notice = `${nameOf(number)}: ${state.toLowerCase()}.`;
    if (number < count) await expectOpen(page, nameOf(number + 1), notice);
    else await expect(page.getByText(notice)).toBeVisible();
  }
  expect(documents).toBe(0);
  await expect(page.getByText("Nothing needs an answer.")).toBeVisible();
  await expect(tab(page, "Done (4)")).toBeVisible();
  await expect(tab(page, "Spam (1)")).toBeVisible();
});

test("an admin undoes a change, goes on from the middle of the list, and deletes only after a question", async ({
  page,
  site,
}) => {
  await openInbox(page, site, 5);
  await page.getByRole("heading", { name: nameOf(3) }).click();
  await page.getByRole("button", { name: `Spam: ${nameOf(3)}` }).click();
  await expectOpen(page, nameOf(4), `${nameOf(3)}: spam.`);
  await page.getByRole("button", { name: `Undo: ${nameOf(3)}` }).click();
  await expectOpen(page, nameOf(3), `${nameOf(3)}: back in New.`);
  await expect(page.getByRole("button", { name: /^Undo/ })).toHaveCount(0);

  await page.getByRole("link", { name: `Reply: ${nameOf(3)}` }).click();
  await page.getByRole("link", { name: `Previous: ${nameOf(2)}` }).click();
  await page.getByRole("link", { name: `Next: ${nameOf(3)}` }).click();
  await expect(page.getByLabel("Your reply")).toBeInViewport();
  await page.getByLabel("Your reply").fill("We can talk on Monday.");
  await page.getByRole("button", { name: "Send reply" }).click();
  await expectOpen(page, nameOf(4), `Replied to ${nameOf(3)}.`);

  const askToDelete = async () => {
    await openRow(page).getByText("More", { exact: true }).click();
    await page.getByRole("button", { name: `Delete permanently: ${nameOf(4)}` }).click();
  };
  await askToDelete();
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: nameOf(4) }).click();
  await askToDelete();
  await page.getByRole("button", { name: "Delete permanently" }).click();
  await expect(page.getByRole("heading", { name: nameOf(5) })).toBeVisible();
  await expect(page.getByRole("heading", { name: nameOf(4) })).toHaveCount(0);
});

test("the first screen shows six messages on a phone and twelve at a desk, and a long address fits", async ({
  page,
  site,
}) => {
  const email = `${"a".repeat(64)}@${"b".repeat(7)}.example`;
  await openInbox(page, site, 12);
  await new Visitor(site.url).post("/contact", { ...filledContactForm, name: nameOf(0), email });
  for (const [width, height, fitting] of [
    [360, 740, 6],
    [1280, 900, 12],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto("/admin");
    await expect(page.locator(".inbox-row").nth(fitting - 1)).toBeInViewport({ ratio: 1 });
  }
  const readWidth = () => page.evaluate(() => document.documentElement.scrollWidth);
  await page.setViewportSize({ width: 320, height: 740 });
  await page.goto("/admin");
  await page.getByRole("heading", { name: nameOf(0) }).click();
  expect(await readWidth()).toBe(320);
  await openRow(page).getByRole("link", { name: "Open message" }).click();
  await expect(page.getByLabel("Your reply")).toBeVisible();
  expect(await readWidth()).toBe(320);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByLabel("Your reply")).toBeHidden();
  await expect(page.locator(".message-body").first()).toBeVisible();
});
