import { expect, test } from "./product";

test("the cookie policy's button opens the preferences, keeps the focus and gives it back", async ({ page }) => {
  await page.goto("/cookie-policy");
  const dialog = page.getByRole("dialog", { name: "Privacy & Cookie Preferences" });
  const opener = page.getByRole("button", { name: "Manage Cookie Preferences" });
  await expect(dialog).toBeHidden();
  await opener.click();
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole("link", { name: "Your data rights" })).toHaveAttribute("href", "/data-rights");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
});
