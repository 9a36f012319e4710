import type { Page } from "playwright/test";
import { Secret, TOTP } from "otpauth";
import { awaitStepWithTime } from "../support/totp-step";
import { expect, test } from "./support/account-site";
import { expectAccessible } from "./support/axe";
import { signIn } from "./support/forms";

async function enterCode(page: Page, label: string, code: string, button: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(code);
  await page.getByRole("button", { name: button, exact: true }).click();
}

test("an admin sets up a second factor, signs in with it, and uses a recovery code", async ({
  page,
  site,
  javaScriptEnabled,
}) => {
  const check = () => (javaScriptEnabled === false ? Promise.resolve() : expectAccessible(page));
  const dashboard = page.getByRole("heading", { name: "Admin Dashboard" });
  await signIn(page, site.admin);
  await page.getByRole("link", { name: "Set it up" }).click();
  await check();
  await page.getByRole("button", { name: "Set up" }).click();
  const picture = page.getByRole("img", { name: "QR code" });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await check();
  const key = (await page.locator("p.font-mono").innerText()).replaceAll(" ", "");
  // The QR code holds the same key as the text next to it.
  expect(await page.locator('input[name="uri"]').getAttribute("value")).toContain(key);
  const totp = new TOTP({ secret: Secret.fromBase32(key) });
  const code = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
  await enterCode(page, "Code", "000 000", "Turn on");
  await expect(page.getByText("That code is not right.").first()).toBeVisible();
  await awaitStepWithTime(15_000);
  await enterCode(page, "Code", code(-1), "Turn on");
  await expect(page.getByRole("heading", { name: "Save your recovery codes" })).toBeVisible();
  await check();
  const [recoveryCode = ""] = await page.locator("li.recovery-code").allInnerTexts();
  await page.getByRole("link", { name: "I have saved them" }).click();
  await expect(page.getByText("You have 10 recovery codes left.")).toBeVisible();
  await check();
  await page.getByRole("link", { name: "Go back" }).click();
  await page.getByRole("button", { name: "Logout" }).click();

  await signIn(page, site.admin);
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
  await check();
  await enterCode(page, "Code", code(0), "Continue");
  await expect(dashboard).toBeVisible();
  await page.getByRole("button", { name: "Logout" }).click();

  await signIn(page, site.admin);
  await page.getByText("Lost your phone?").click();
  await enterCode(page, "Recovery code", recoveryCode, "Use recovery code");
  await expect(page.getByText("Your recovery code turned two-step verification off")).toBeVisible();
  await page.getByRole("link", { name: "Go back" }).click();
  await expect(dashboard).toBeVisible();
  await page.getByRole("button", { name: "Logout" }).click();
  await signIn(page, site.admin);
  await expect(dashboard).toBeVisible();
});
