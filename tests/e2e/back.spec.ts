import type { Page } from "playwright/test";
import { Visitor, filledContactForm } from "../support/visitor";
import { answerBanner, banner } from "./support/consent-page";
import { fillContactForm, sendContactForm } from "./support/forms";
import { expect, test } from "./support/product";

/** Goes back and waits until the browser is on this path. */
async function goBack(page: Page, path: string): Promise<void> {
  await page.goBack();
  await expect(page).toHaveURL((url) => url.pathname === path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

test("the banner stays hidden when Back opens an earlier page", async ({ page }) => {
  await page.goto("/startups");
  await page.goto("/about");
  await answerBanner(page, "Reject All");
  await goBack(page, "/startups");
  await expect(banner(page)).toHaveCount(0);
});

test("a contact form keeps its text after Back and sends one message", async ({ page, product, javaScriptEnabled }) => {
  const name = "Back and forth";
  await page.goto("/contact", { waitUntil: "networkidle" });
  // With scripts, the confirmation replaces the form in the history, and Back skips both.
  if (!javaScriptEnabled) await sendContactForm(page, { name });
  else {
    await fillContactForm(page, { name });
    await page.goto("/about");
  }
  await goBack(page, "/contact");
  for (const [label, value] of [
    ["Name", name],
    ["Goal", filledContactForm.goal],
    ["Message", filledContactForm.message],
  ] as const)
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByText("Message Sent!")).toBeVisible();
  if (javaScriptEnabled) {
    await page.goto("/contact", { waitUntil: "networkidle" });
    await sendContactForm(page, { name });
  }
  const admin = new Visitor(product.url);
  await admin.signIn();
  const countMessages = async () => (await admin.get("/admin?filter=all")).html.split(`>${name}</h3>`).length - 1;
  await expect.poll(countMessages).toBe(1);
});
