import { filledContactForm } from "../support/visitor";
import { fillContactForm } from "./contact-page";
import { expect, test } from "./product";

test("the button says that it is sending while it is, and cannot be pressed twice", async ({ page }) => {
  await page.goto("/contact");
  await fillContactForm(page, { name: "Slow line" });
  await page.getByRole("checkbox").check();
  await page.route("**/contact.data", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("button", { name: "Sending..." })).toBeDisabled();
  await expect(page.getByText("Message Sent!")).toBeVisible();
});

test("a failure while sending keeps the form and is brought into view", async ({ page }) => {
  await page.goto("/contact");
  await fillContactForm(page);
  await page.getByRole("checkbox").check();
  await page.route("**/contact.data", (route) => route.abort());
  await page.getByRole("button", { name: "Send Message" }).click();
  const message = page.getByText("Failed to send message. Please try again or email us directly.");
  await expect(message).toBeInViewport();
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue(filledContactForm.message);
  await page.unroute("**/contact.data");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByText("Message Sent!")).toBeInViewport();
});
