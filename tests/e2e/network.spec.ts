import type { Page } from "playwright/test";
import { filledJoinForm, joinAddress, readNetworkLink } from "../support/network-links";
import { findViolationsInBothSchemes } from "./support/axe";
import { expect, test } from "./support/product";

const box = (page: Page) => page.getByLabel("Also add me to the investor network");
const heading = (page: Page) => page.getByRole("heading", { level: 1 });

async function fillForm(page: Page, email: string) {
  await page.getByLabel("Name").fill(filledJoinForm.name);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Company or fund").fill(filledJoinForm.company);
  await page.getByRole("textbox", { name: "Message" }).fill(filledJoinForm.message);
  await page.getByLabel(/^I agree that my details/).check();
}

test("an investor joins, changes the details and leaves", async ({ page, product, javaScriptEnabled }) => {
  const email = `journey-${javaScriptEnabled ? "with" : "without"}@fund.example`;
  await page.goto("/investors");
  await page.getByRole("link", { name: "Join the investor network" }).click();
  await expect(page).toHaveURL(joinAddress);
  await expect(page.getByLabel("Goal")).toHaveValue("Join the investor network");
  await expect(box(page)).not.toBeChecked();
  await expect(page.getByLabel("Kind of investor")).toBeHidden();
  await fillForm(page, email);
  await box(page).check();
  await page.getByLabel("Kind of investor").selectOption("Family office");
  await page.getByLabel("Behavioral health").check();
  await page.getByLabel("Country or state").fill("Vermont");
  await page.getByRole("textbox", { name: "Message" }).fill("");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("link", { name: "Enter your message" })).toBeVisible();
  await expect(box(page)).toBeChecked();
  await expect(page.getByLabel("Kind of investor")).toHaveValue("family-office");
  await expect(page.getByLabel("Behavioral health")).toBeChecked();
  await page.getByRole("textbox", { name: "Message" }).fill("We look at clinics.");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(heading(page)).toHaveText("One more step: check your email");
  expect(page.url()).not.toContain("fund");

  const link = await readNetworkLink(product.dataDir, email);
  await page.goto(link);
  await expect(heading(page)).toHaveText("Join the investor network");
  if (javaScriptEnabled) expect(await findViolationsInBothSchemes(page)).toEqual([]);
  await page.getByRole("button", { name: "Join the network" }).click();
  await expect(heading(page)).toHaveText("Your place in the investor network");
  await page.getByLabel("Country or state").fill("Maine");
  await page.getByLabel("Company or fund").fill("");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("link", { name: "Enter your company or fund" })).toBeInViewport();
  await expect(page.getByLabel("Country or state")).toHaveValue("Maine");
  await page.getByLabel("Company or fund").fill("Maple Fund");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("We keep your new details.")).toBeInViewport();
  await expect(page.locator("dd").filter({ hasText: "Maple Fund" })).toBeVisible();
  if (javaScriptEnabled) expect(await findViolationsInBothSchemes(page)).toEqual([]);
  await page.getByRole("button", { name: "Leave the network" }).click();
  await expect(heading(page)).toHaveText("You are not in the network");
  await page.goto(link);
  await expect(heading(page)).toHaveText("This link doesn’t work");
});
