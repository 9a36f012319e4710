import type { Page } from "playwright/test";
import { filledJoinForm, joinAddress, readNetworkLink } from "../support/network-links";
import { expectAccessible } from "./support/axe";
import { expect, test } from "./support/product";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

test("an investor joins, changes the details and leaves", async ({ page, product, javaScriptEnabled }) => {
  const email = `journey-${javaScriptEnabled ? "with" : "without"}@fund.example`;
  const box = page.getByLabel("Also add me to the investor network");
  const message = page.getByRole("textbox", { name: "Message" });
  await page.goto("/investors");
  await page.getByRole("link", { name: "Join the investor network" }).click();
  await expect(page).toHaveURL(joinAddress);
  await expect(box).not.toBeChecked();
  await expect(page.getByLabel("Kind of investor")).toBeHidden();
  await page.getByLabel("Name").fill(filledJoinForm.name);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Company or fund").fill(filledJoinForm.company);
  await page.getByLabel(/^I agree that my details/).check();
  await box.check();
  await page.getByLabel("Kind of investor").selectOption("Family office");
  await page.getByLabel("Behavioral health").check();
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("link", { name: "Enter your message" })).toBeVisible();
  await expect(box).toBeChecked();
  await expect(page.getByLabel("Kind of investor")).toHaveValue("family-office");
  await expect(page.getByLabel("Behavioral health")).toBeChecked();
  await message.fill("We look at clinics.");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(heading(page)).toHaveText("One more step: check your email");

  const link = await readNetworkLink(product.dataDir, email);
  await page.goto(link);
  await expect(heading(page)).toHaveText("Join the investor network");
  if (javaScriptEnabled) await expectAccessible(page);
  await page.getByRole("button", { name: "Join the network" }).click();
  await expect(heading(page)).toHaveText("Your place in the investor network");
  await page.getByLabel("Company or fund").fill("");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("link", { name: "Enter your company or fund" })).toBeInViewport();
  await page.getByLabel("Company or fund").fill("Maple Fund");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("We keep your new details.")).toBeInViewport();
  await expect(page.locator("dd").filter({ hasText: "Maple Fund" })).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
  await page.getByRole("button", { name: "Leave the network" }).click();
  await expect(heading(page)).toHaveText("You are not in the network");
});
