import { testAdmin } from "../support/test-admin";
import { filledContactForm } from "../support/visitor";
import { fillContactForm, sendContactForm, signIn } from "./support/forms";
import { expect, test } from "./support/product";

test("a visitor writes, and an admin signs in, reads the message and signs out", async ({
  page,
  javaScriptEnabled,
}) => {
  const name = `Visitor ${javaScriptEnabled ? "with" : "without"} scripts`;
  await page.goto("/");
  await page.getByRole("link", { name: "Contact Us" }).first().click();
  await expect(page).toHaveTitle(/^Contact Us/);
  await sendContactForm(page, { name });
  await page.getByText("Write another message").click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("");
  await expect(page.getByRole("checkbox")).not.toBeChecked();

  await signIn(page, testAdmin);
  await expect(page.getByText("Login successful")).toBeVisible();
  const card = page.getByRole("article", { name });
  await card.locator("summary").first().click();
  await expect(card).toContainText("We run nine clinics.");

  await page.getByRole("button", { name: "Logout" }).click();
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

  await sendContactForm(page, { name: "Second try" });
  await expect(page).toHaveTitle(/^Contact Us/);
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
});
