import type { Page } from "playwright/test";
import { fillContactForm, openContactPage } from "./support/contact-page";
import { expect, test } from "./support/product";

const scripts = { Latin: "q", Chinese: "字", emoji: "🌻" };

/** Inserts a text as a paste does: in one step, and cut off at the control's `maxlength`. */
async function paste(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill("");
  await page.getByLabel(label, { exact: true }).focus();
  await page.keyboard.insertText(text);
}

for (const [script, letter] of Object.entries(scripts)) {
  test(`an overlong paste of ${script} is returned complete with advice, and is sent once it fits`, async ({
    page,
  }) => {
    await page.goto("/contact", { waitUntil: "networkidle" });
    await fillContactForm(page, { email: `${script.toLowerCase()}@paste.example` });
    await page.getByRole("checkbox").check();
    const limits = { Name: 100, Company: 200, Goal: 200, Message: 5_000 };
    for (const [label, limit] of Object.entries(limits)) await paste(page, label, letter.repeat(limit + 100));
    await page.getByRole("button", { name: "Send Message" }).click();
    await expect(page.getByRole("heading", { name: "There is a problem" })).toBeVisible();
    for (const [label, limit] of Object.entries(limits)) {
      await expect(page.getByRole("link", { name: `Shorten your ${label.toLowerCase()} by 100` })).toBeVisible();
      await expect(page.getByLabel(label, { exact: true })).toHaveValue(letter.repeat(limit + 100));
      await paste(page, label, letter.repeat(limit));
    }
    await page.getByRole("button", { name: "Send Message" }).click();
    await expect(page.getByText("Message Sent!")).toBeVisible();
  });
}

test("an address that looks mistyped is queried once", async ({ page }) => {
  await page.goto("/data-rights", { waitUntil: "networkidle" });
  await page.getByLabel("Full name").fill("Ada Lovelace");
  await page.getByLabel("Email", { exact: true }).fill("ada@gmial.com");
  await page.getByLabel("Request type").selectOption("access");
  await paste(page, "Additional details", "字".repeat(5_000));
  const send = page.getByRole("button", { name: "Submit Request" });
  await send.click();
  await expect(page.getByRole("link", { name: "Did you mean ada@gmail.com? Send again" })).toBeVisible();
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue("ada@gmial.com");
  await send.click();
  await expect(page.getByText("Request Submitted")).toBeVisible();
});

test.describe("with scripts", () => {
  test.skip(({ javaScriptEnabled }) => javaScriptEnabled === false, "only scripts count characters during typing");

  test("the characters left are shown near the limit, counted as the server counts them", async ({ page }) => {
    await openContactPage(page);
    const message = page.getByLabel("Message", { exact: true });
    await paste(page, "Message", "🌻".repeat(4_400));
    await expect(page.getByText(/characters (left|too many)/)).toHaveCount(0);
    await paste(page, "Message", "🌻".repeat(4_600));
    await expect(page.getByText("400 characters left").first()).toBeVisible();
    // A screen reader announces this when the writer pauses.
    await expect(page.getByRole("status").filter({ hasText: "400 characters left" })).toBeAttached();
    await paste(page, "Message", `${"line\n".repeat(1_000)}a`);
    await expect(page.getByText("1 character too many").first()).toBeVisible();
    await paste(page, "Name", "e\u0301".repeat(99));
    await expect(page.getByText("1 character left").first()).toBeVisible();
    await message.fill("Hello");
    await expect(page.getByText("1 character too many")).toHaveCount(0);
  });

  test("a lost connection leaves no errors of an earlier response on the page", async ({ page }) => {
    await openContactPage(page);
    await fillContactForm(page, { name: "" });
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Send Message" }).click();
    await expect(page.getByRole("heading", { name: "There is a problem" })).toBeVisible();
    await page.getByLabel("Name", { exact: true }).fill("Ada");
    await page.route("**/contact.data", (route) => route.abort());
    await page.getByRole("button", { name: "Send Message" }).click();
    await expect(page.getByText("Failed to send message.")).toBeVisible();
    await expect(page.getByRole("heading", { name: "There is a problem" })).toHaveCount(0);
    await expect(page.getByLabel("Name", { exact: true })).not.toHaveAttribute("aria-invalid");
    await expect(page).not.toHaveTitle(/Error/);
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ada");
  });
});
