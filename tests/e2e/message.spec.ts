import type { Page } from "playwright/test";
import { testAdmin } from "../support/product";
import { filledContactForm } from "../support/visitor";
import { fillContactForm } from "./support/contact-page";
import { expect, test } from "./support/product";

async function signIn(page: Page) {
  await page.goto("/login");
  await page.getByLabel("Email").fill(testAdmin.email);
  await page.getByLabel("Password").fill(testAdmin.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(/\/admin(?:\?notice=.*)?$/);
}

test("a visitor writes, and an admin signs in, reads the message and signs out", async ({
  page,
  javaScriptEnabled,
}) => {
  const name = `Visitor ${javaScriptEnabled ? "with" : "without"} scripts`;
  await page.goto("/");
  await page.getByRole("link", { name: "Contact Us" }).first().click();
  await expect(page).toHaveTitle(/^Contact Us/);
  await fillContactForm(page, { name });
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByText("Message Sent!")).toBeVisible();
  await expect(page.getByText("We'll get back to you within 24 hours.")).toBeVisible();
  await page.getByText("Write another message").click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("");
  await expect(page.getByRole("checkbox")).not.toBeChecked();

  await signIn(page);
  await expect(page.getByText("Login successful")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Admin Dashboard" })).toBeVisible();
  const card = page.getByRole("article", { name });
  await card.locator("summary").first().click();
  await expect(card.getByRole("link", { name: filledContactForm.email })).toHaveAttribute(
    "href",
    `mailto:${filledContactForm.email}`,
  );
  await expect(card).toContainText("We run nine clinics.");

  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/\/login(?:\?notice=.*)?$/);
  await expect(page.getByText("You have been successfully logged out")).toBeVisible();
  await page.goto("/admin");
  await expect(page.getByText("Please login to access the admin dashboard")).toBeVisible();
});

test("the contact form keeps every word after errors, names them at the fields and links to them", async ({ page }) => {
  await page.goto("/contact");
  await fillContactForm(page, { email: "no address", goal: "" });
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("heading", { name: "There is a problem" })).toBeVisible();
  await expect(page).toHaveTitle(/^Error: Contact Us/);
  await page.getByRole("link", { name: "Enter your goal" }).click();
  await expect(page.getByLabel("Goal", { exact: true })).toBeFocused();
  await expect(page.getByLabel("Goal", { exact: true })).toHaveAccessibleDescription(/Enter your goal/);
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue("no address");
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue(filledContactForm.message);
  await expect(page.getByRole("checkbox")).toBeChecked();

  await fillContactForm(page, { name: "Second try" });
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByText("Message Sent!")).toBeVisible();
  await expect(page).toHaveTitle(/^Contact Us/);
});

test("the contact form asks an investor for a company or fund, also after an error", async ({ page }) => {
  await page.goto("/investors");
  await page.getByRole("link", { name: "Join the investor network" }).click();
  await expect(page).toHaveTitle(/^Contact Us/);
  const fund = page.getByLabel("Company or fund", { exact: true });
  const stage = page.getByLabel("Business stage", { exact: true });
  await expect(stage).toHaveValue("Investor");
  await stage.selectOption("Other");
  await fund.fill("Harbor Fund");
  await page.getByLabel(/^I agree that my details/).check();
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("heading", { name: "There is a problem" })).toBeVisible();
  await expect(fund).toHaveValue("Harbor Fund");
  await expect(stage).toHaveValue("Other");
});

test("a wrong password keeps the email and names the reason", async ({ page }) => {
  await page.goto("/login");
  await page.getByLabel("Email").fill(testAdmin.email);
  await page.getByLabel("Password").fill("not the passphrase");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Login failed")).toBeVisible();
  await expect(page.getByText("Invalid login credentials")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(testAdmin.email);
  await expect(page.getByLabel("Password")).toHaveValue("");
});

test("the send button waits for consent where scripts run, and is always enabled elsewhere", async ({
  page,
  javaScriptEnabled,
}) => {
  await page.goto("/contact");
  const send = page.getByRole("button", { name: "Send Message" });
  const reason = page.getByText("Check the box above to send.");
  await expect(reason).toBeVisible();
  await page.getByRole("checkbox").check();
  await expect(reason).toBeHidden();
  await page.getByRole("checkbox").uncheck();
  if (!javaScriptEnabled) {
    await fillContactForm(page);
    await send.click();
    await expect(page.getByRole("link", { name: "Check the box to agree to the privacy policy" })).toBeVisible();
    return;
  }
  await expect(send).toBeDisabled();
  await page.getByRole("checkbox").check();
  await expect(send).toBeEnabled();
  await page.getByRole("checkbox").uncheck();
  await expect(send).toBeDisabled();
});

test("pages without forms have no script and set no cookie", async ({ page, context }) => {
  for (const path of ["/", "/startups", "/privacy-policy"]) {
    await page.goto(path);
    await expect(page.locator("script:not([type='application/ld+json'])")).toHaveCount(0);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  }
  expect(await context.cookies()).toEqual([]);
});
