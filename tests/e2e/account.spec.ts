import type { Browser, Page } from "playwright/test";
import { type AccountSite, expect, signIn, test } from "./support/account-site";

const newPassword = "a passphrase of the journey";
const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0";
const safari =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

test("an admin lists their sessions, ends one, and changes the password", async ({ browser, site }) => {
  const desk = await openBrowser(browser, site.url, firefox);
  const phone = await openBrowser(browser, site.url, safari);
  const tablet = await openBrowser(browser, site.url, undefined);
  for (const page of [desk, phone, tablet]) await signIn(page, site.admin);

  await desk.getByRole("link", { name: "Account", exact: true }).click();
  await expect(desk.getByText(`You are signed in as ${site.admin.email}.`)).toBeVisible();
  const sessions = desk.getByRole("region", { name: "Where you are signed in" }).getByRole("listitem");
  await expect(sessions).toHaveCount(3);
  await expect(sessions.first()).toContainText("Firefox on Windows");
  await expect(sessions.first()).toContainText("This session");
  await expect(desk.getByText("Signed in on a new device: Safari on iPhone")).toBeVisible();
  await expect.poll(() => countNewDeviceMails(site), { timeout: 30_000 }).toBe(3);

  await sessions.filter({ hasText: "Safari on iPhone" }).getByRole("button", { name: "End session" }).click();
  await expect(desk.getByText("Session ended")).toBeVisible();
  await expect(sessions).toHaveCount(2);
  await phone.reload();
  await expect(phone).toHaveURL(/\/login(?:\?notice=.*)?$/);
  await tablet.reload();
  await expect(tablet.getByRole("heading", { name: "Admin Dashboard" })).toBeVisible();

  await desk.getByLabel("Current password").fill("not the passphrase");
  await desk.getByLabel("New password", { exact: true }).fill(newPassword);
  await desk.getByLabel("Confirm new password").fill(newPassword);
  await desk.getByRole("button", { name: "Change password" }).click();
  await expect(desk.getByText("There is a problem")).toBeVisible();
  await desk.getByLabel("Current password").fill(site.admin.password);
  await desk.getByLabel("New password", { exact: true }).fill(newPassword);
  await desk.getByLabel("Confirm new password").fill(newPassword);
  await desk.getByRole("button", { name: "Change password" }).click();
  await expect(desk.getByText("Password changed", { exact: true }).first()).toBeVisible();
  await expect(sessions).toHaveCount(1);
  await tablet.reload();
  await expect(tablet).toHaveURL(/\/login(?:\?notice=.*)?$/);
  await signIn(tablet, { ...site.admin, password: newPassword });

  await desk.reload();
  await desk.getByRole("button", { name: "End all other sessions" }).click();
  await expect(desk.getByText("Other sessions ended")).toBeVisible();
  await tablet.reload();
  await expect(tablet).toHaveURL(/\/login(?:\?notice=.*)?$/);
  // The tablet was no longer new to the account.
  await expect
    .poll(() => readSubjects(site), { timeout: 30_000 })
    .toContainEqual(expect.stringMatching(/was changed$/));
  expect(await countNewDeviceMails(site)).toBe(3);
});

async function openBrowser(browser: Browser, baseURL: string, userAgent: string | undefined): Promise<Page> {
  return (await browser.newContext({ baseURL, userAgent, javaScriptEnabled: false })).newPage();
}

async function readSubjects(site: AccountSite): Promise<string[]> {
  return (await site.readMailsTo(site.admin.email)).map(({ subject }) => subject ?? "");
}

async function countNewDeviceMails(site: AccountSite): Promise<number> {
  return (await readSubjects(site)).filter((subject) => subject.startsWith("New device signed in")).length;
}
