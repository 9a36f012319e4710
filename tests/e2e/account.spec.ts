import type { Page } from "playwright/test";
import { expect, test } from "./support/account-site";
import { signIn } from "./support/forms";

const userAgent =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

/** Expects the next click in this browser to lead to sign-in. */
async function expectSignedOut(page: Page): Promise<void> {
  await page.reload();
  await expect(page).toHaveURL(/\/login(?:\?notice=.*)?$/);
}

test("an admin lists their sessions, ends one, and ends the others by a new password", async ({
  browser,
  page,
  site,
}) => {
  const options = { baseURL: site.url, javaScriptEnabled: false };
  const [phone, tablet] = [await browser.newPage({ ...options, userAgent }), await browser.newPage(options)];
  for (const each of [page, phone, tablet]) await signIn(each, site.admin);
  await page.getByRole("link", { name: "Account", exact: true }).click();
  const sessions = page.getByRole("region", { name: "Where you are signed in" }).getByRole("listitem");
  await expect(sessions).toHaveCount(3);
  await expect(sessions.first()).toContainText("This session");
  await sessions.filter({ hasText: "Safari on iPhone" }).getByRole("button", { name: "End session" }).click();
  await expect(page.getByText("Session ended")).toBeVisible();
  await expect(sessions).toHaveCount(2);
  await expectSignedOut(phone);

  const password = "a passphrase of the journey";
  await page.getByLabel("Current password").fill(site.admin.password);
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByLabel("Confirm new password").fill(password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed", { exact: true }).first()).toBeVisible();
  await expect(sessions).toHaveCount(1);
  await expectSignedOut(tablet);
  await signIn(tablet, { ...site.admin, password });
  await phone.close();
  await tablet.close();
});
