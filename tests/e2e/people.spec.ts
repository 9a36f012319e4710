import type { Browser, Page } from "playwright/test";
import { type AccountSite, expect, test, waitForMail } from "./support/account-site";
import { signIn } from "./support/forms";

test("an invited admin signs in, and is rejected on the next click after removal", async ({
  browser,
  page: admin,
  site,
}) => {
  const email = "second@firm.example";
  await signIn(admin, site.admin);
  await admin.goto("/admin/people");
  await admin.getByLabel("Email address").fill(email);
  await admin.getByRole("button", { name: "Send invitation" }).click();
  await expect(admin.getByText("Invitation sent")).toBeVisible();
  await expect(admin.getByText(email, { exact: true })).toBeVisible();

  const second = await openBrowser(browser, site);
  await second.goto(linkIn(await waitForMail(site, email, /^Your invitation to the admin area/)));
  await expect(second.getByText(`Choose a password for ${email}`)).toBeVisible();
  await choosePassword(second, "a phrase for the first time");
  await expect(second.getByText("Your password is set.")).toBeVisible();
  await signIn(second, { email, password: "a phrase for the first time" });
  await second.goto("/admin/people");

  await admin.goto("/admin/people");
  await admin.getByRole("button", { name: `Remove ${email}` }).click();
  await admin.getByRole("button", { name: "Yes, remove this admin" }).click();
  await expect(admin.getByText("Admin removed")).toBeVisible();

  await second.getByLabel("Email address").fill("third@firm.example");
  await second.getByRole("button", { name: "Send invitation" }).click();
  await expect(second).toHaveURL(/\/login(?:\?notice=.*)?$/);
  await expect(second.getByText("Authentication required")).toBeVisible();
  await second.close();
});

test("a user replaces a forgotten password, which ends the open session", async ({ browser, page: admin, site }) => {
  await signIn(admin, site.admin);
  const forgetful = await openBrowser(browser, site);
  await forgetful.goto("/login");
  await forgetful.getByRole("link", { name: "Forgot your password?" }).click();
  await forgetful.getByLabel("Email").fill(site.admin.email);
  await forgetful.getByRole("button", { name: "Send link" }).click();
  await expect(forgetful.getByText("Check your email")).toBeVisible();
  await forgetful.goto(linkIn(await waitForMail(site, site.admin.email, /^A new password for /)));
  await choosePassword(forgetful, "a phrase after the first one");
  await expect(forgetful.getByText("Sign in with your new password.")).toBeVisible();
  await admin.goto("/admin");
  await expect(admin).toHaveURL(/\/login(?:\?notice=.*)?$/);
  await signIn(forgetful, { email: site.admin.email, password: "a phrase after the first one" });
  await expect(forgetful.getByRole("heading", { name: "Admin Dashboard" })).toBeVisible();
  await forgetful.close();
});

async function openBrowser(browser: Browser, { url }: AccountSite): Promise<Page> {
  return browser.newPage({ baseURL: url, javaScriptEnabled: false });
}

function linkIn(mail: string): string {
  return /\/login\/password\?token=[\w-]{43}/.exec(mail)?.[0] ?? "";
}

async function choosePassword(page: Page, password: string): Promise<void> {
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByLabel("Confirm new password").fill(password);
  await page.getByRole("button", { name: "Set password" }).click();
  await page.waitForURL(/\/login\?notice=/);
}
