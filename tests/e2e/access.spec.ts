import { testAdmin } from "../support/product";
import { filledContactForm } from "../support/visitor";
import { banner, preferences } from "./support/consent-page";
import { findViolationsInBothSchemes, widths } from "./support/axe";
import { expect, test } from "./support/product";

test("pages with errors, dialogs or long words pass axe at each width, light and dark", async ({ page, product }) => {
  const check = async () => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      expect(await findViolationsInBothSchemes(page), `${width} px`).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `${width} px`).toBeLessThanOrEqual(0);
    }
  };
  await page.goto("/about?cookie-preferences=open");
  await expect(preferences(page)).toBeVisible();
  await check();
  await page.goto("/about");
  await banner(page).getByRole("button", { name: "Customize" }).click();
  await expect(preferences(page)).toBeVisible();
  await check();

  await page.goto("/contact");
  await page.locator("main form").evaluate((form: HTMLFormElement) => form.submit());
  await expect(page.getByText("There is a problem")).toBeVisible();
  await check();

  const long = { ...filledContactForm, name: "N".repeat(100), message: "word".repeat(300), topic: "x" };
  for (const form of [long, { ...long, topic: "" }]) {
    await fetch(`${product.url}/contact`, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });
  }
  await page.goto("/login");
  await page.getByLabel("Email").fill(testAdmin.email);
  await page.getByLabel("Password").fill(testAdmin.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("heading", { name: "Admin Dashboard" })).toBeVisible();
  await check();
  await page.goto("/admin/snippets");
  await page.getByLabel("Name").last().fill("n".repeat(80));
  await page.getByLabel("Text", { exact: true }).last().fill("word".repeat(300));
  await page.getByRole("button", { name: "Add" }).click();
  await page.locator("summary").first().click();
  await check();
  await page.goto("/admin?filter=all");
  await page.locator("summary").first().click();
  await page.getByRole("link", { name: "Open message" }).first().click();
  await page.getByLabel("Your reply").fill("word".repeat(300));
  await page.getByRole("button", { name: "Send reply" }).click();
  await expect(page.getByText(/^Replied to /)).toBeVisible();
  await check();
  await page.getByRole("link", { name: "Open message" }).first().click();
  await page.getByRole("button", { name: "Insert" }).click();
  await expect(page.getByText("There is a problem")).toBeVisible();
  await check();
  await page.goto("/admin/numbers");
  await check();
  await page.goto("/admin/account");
  await check();
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("There is a problem")).toBeVisible();
  await check();
});
