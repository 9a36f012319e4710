import type { Page } from "playwright/test";
import { expectAccessible } from "./support/axe";
import { signIn } from "./support/forms";
import { expect, test } from "./support/product";

test.use({ baseURL: ({ otherFirm }, provide) => provide(otherFirm.url) });

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const problem = (page: Page) => page.getByText("There is a problem");

test("an admin finds, admits and removes a member, on accessible pages", async ({ page }) => {
  await signIn(page);
  await page.getByRole("link", { name: "Network" }).click();
  await expectAccessible(page);
  await page.getByLabel("Kind").selectOption("Venture or private equity firm");
  await press(page, "Show");
  await expect(page.getByText(/^\d+ members match\.$/)).toBeVisible();
  await page.goto("/admin/network");
  await page.locator(".member-row").first().click();
  await expectAccessible(page);
  await page.getByLabel("Note").fill("We met");
  await press(page, "Admit");
  await expect(page.getByText("They are in the network now. No email was sent.")).toBeVisible();
  await press(page, "Add the note only");
  await expect(problem(page)).toBeVisible();
  await expectAccessible(page);
  await press(page, "Remove from the network");
  await expect(page.getByRole("heading", { name: "Remove from the network?" })).toBeVisible();
  await expectAccessible(page);
  await press(page, "Remove permanently");
  await expect(page.getByText("Removed")).toBeVisible();
});

const body = `Dear {name},\n\nwe met two companies.\n\n\u05e9\u05dc\u05d5\u05dd \u05dc\u05db\u05d5\u05dc\u05dd\n\nhttps://example.com/${"a".repeat(150)}`;

test("an admin writes, tries, sends and stops a letter, on accessible pages", async ({ page }) => {
  await signIn(page);
  await page.getByRole("link", { name: "Network" }).click();
  await page.getByRole("link", { name: "Letters" }).click();
  await page.getByRole("link", { name: "New letter" }).click();
  await page.getByLabel("Text").fill(body);
  await press(page, "Save and check");
  await expect(problem(page)).toBeVisible();
  await expect(page.getByLabel("Text")).toHaveValue(body);
  await expectAccessible(page);
  await page.getByLabel("Subject").fill("Two companies this fall");
  await page.getByLabel("Confirmed, not reviewed yet").check();
  await press(page, "Save and check");
  const readers = page.getByRole("heading", { name: /^\d+ members will get it$/ });
  const number = Number.parseInt(await readers.innerText(), 10);
  expect(number).toBeGreaterThanOrEqual(39);
  await expectAccessible(page);
  await press(page, "Send it to myself");
  await press(page, "Send…");
  await page.getByLabel("Number of members").fill("4");
  await press(page, `Send to ${number} members`);
  await expect(problem(page)).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Number of members").fill(String(number));
  await press(page, `Send to ${number} members`);
  await expect(page.getByRole("heading", { name: "Sending" })).toBeVisible();
  await expectAccessible(page);
  await press(page, "Stop");
  await expect(page.getByRole("heading", { name: "Stop this letter?" })).toBeVisible();
  await press(page, "Stop");
  await expect(page.getByRole("heading", { name: "Stopped" })).toBeVisible();
  await page.getByRole("link", { name: "← Letters" }).click();
  await expect(page.locator(".letter-row").first()).toContainText("Two companies this fall");
  await expectAccessible(page);
});
