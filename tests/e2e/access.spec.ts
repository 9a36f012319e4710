import { filledContactForm } from "../support/visitor";
import { expectAccessible } from "./support/axe";
import { banner, preferences } from "./support/consent-page";
import { signIn } from "./support/forms";
import { expect, test } from "./support/product";

test("pages with errors, dialogs or long words pass axe at each width, light and dark", async ({ page, product }) => {
  const problem = page.getByText("There is a problem");
  await page.goto("/about?cookie-preferences=open");
  await expect(preferences(page)).toBeVisible();
  await expectAccessible(page);
  await page.goto("/about");
  await banner(page).getByRole("button", { name: "Customize" }).click();
  await expect(preferences(page)).toBeVisible();
  await expectAccessible(page);

  await page.goto("/contact");
  await page.locator("main form").evaluate((form: HTMLFormElement) => form.submit());
  await expect(problem).toBeVisible();
  await expectAccessible(page);

  const long = { ...filledContactForm, name: "N".repeat(100), message: "word".repeat(300), topic: "x" };
  for (const form of [long, { ...long, topic: "" }]) {
    await fetch(`${product.url}/contact`, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });
  }
  await signIn(page);
  await expect(page.getByRole("heading", { name: "Admin Dashboard" })).toBeVisible();
  await expectAccessible(page);
  await page.goto("/admin/snippets");
  await page.getByLabel("Name").last().fill("n".repeat(80));
  await page.getByLabel("Text", { exact: true }).last().fill("word".repeat(300));
  await page.getByRole("button", { name: "Add" }).click();
  await page.locator("summary").first().click();
  await expectAccessible(page);
  await page.goto("/admin?filter=all");
  await page.locator("summary").first().click();
  await page.getByRole("link", { name: "Open message" }).first().click();
  await page.getByLabel("Your reply").fill("word".repeat(300));
  await page.getByRole("button", { name: "Send reply" }).click();
  await expect(page.getByText(/^Replied to /)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Open message" }).first().click();
  await page.getByRole("button", { name: "Insert" }).click();
  await expect(problem).toBeVisible();
  await expectAccessible(page);
  await page.goto("/admin/numbers");
  await expectAccessible(page);
  await page.goto("/admin/account");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(problem).toBeVisible();
  await expectAccessible(page);
});
