import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import type { Page } from "playwright/test";
import { insertMembers } from "../support/network";
import { startProduct, testAdmin } from "../support/product";
import { makeSiteFolder } from "../support/site-folder";
import { expect, signIn } from "./support/account-site";
import { findViolationsInBothSchemes } from "./support/axe";
import { test } from "./support/worker";

const body = `Dear {name},\n\nwe met two companies.\n\n\u05e9\u05dc\u05d5\u05dd \u05dc\u05db\u05d5\u05dc\u05dd\n\nhttps://example.com/${"a".repeat(150)}`;

let url: string;
let stop: () => Promise<unknown>;

test.beforeAll(async () => {
  const dataDir = await makeSiteFolder();
  const database = await PGlite.create(join(dataDir, "pg"));
  const sql = async <Row>(query: string, parameters?: unknown[]) => (await database.query<Row>(query, parameters)).rows;
  await insertMembers(
    sql,
    Array.from({ length: 40 }, (_, n) => ({ name: n === 0 ? `Ada-${"Maria-".repeat(15)}` : `Investor ${n}` })),
  );
  await database.close();
  await writeFile(join(dataDir, "facts.yaml"), "address: 7 Harbor Street, Portland, OR 97201\n");
  // In a process, because a process has one firm, and other journeys have none with an address.
  const site = await startProduct({ NETWORK_MAILS_PER_HOUR: "1" }, { dataDir });
  ({ url } = site);
  stop = () => site.stop();
});
test.afterAll(async () => {
  await stop?.();
});

/** Expects that nothing is wider than the window, and that axe finds nothing. Axe needs scripts. */
async function check(page: Page, runsAxe: boolean): Promise<void> {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(excess, page.url()).toBeLessThanOrEqual(0);
  if (runsAxe) expect(await findViolationsInBothSchemes(page)).toEqual([]);
}

for (const width of [320, 1280])
  test(`an admin writes, tries, sends and stops a letter, ${width} pixels wide`, async ({
    browser,
    javaScriptEnabled,
  }) => {
    const context = await browser.newContext({ baseURL: url, javaScriptEnabled, viewport: { width, height: 800 } });
    const page = await context.newPage();
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    await signIn(page, testAdmin);
    await page.getByRole("link", { name: "Network" }).click();
    await page.getByRole("link", { name: "Letters" }).click();
    await check(page, javaScriptEnabled);
    await page.getByRole("link", { name: "New letter" }).click();
    await page.getByLabel("Text").fill(body);
    await press("Save and check");
    await expect(page.getByText("There is a problem")).toBeVisible();
    await expect(page.getByLabel("Text")).toHaveValue(body);
    await check(page, javaScriptEnabled);
    await page.getByLabel("Subject").fill("Two companies this fall");
    await page.getByLabel("Confirmed, not reviewed yet").check();
    await press("Save and check");
    await expect(page.getByRole("heading", { name: "40 members will get it" })).toBeVisible();
    await expect(page.getByText("and 30 more")).toBeVisible();
    await check(page, javaScriptEnabled);
    await press("Send it to myself");
    await press("Send…");
    await page.getByLabel("Number of members").fill("4");
    await press("Send to 40 members");
    await expect(page.getByText("There is a problem")).toBeVisible();
    await check(page, javaScriptEnabled);
    await page.getByLabel("Number of members").fill("40");
    await press("Send to 40 members");
    await expect(page.getByRole("heading", { name: "Sending" })).toBeVisible();
    await check(page, javaScriptEnabled);
    await press("Stop");
    await expect(page.getByRole("heading", { name: "Stop this letter?" })).toBeVisible();
    await press("Stop");
    await expect(page.getByRole("heading", { name: "Stopped" })).toBeVisible();
    await check(page, javaScriptEnabled);
    await page.getByRole("link", { name: "← Letters" }).click();
    await expect(page.locator(".letter-row").first()).toContainText("Two companies this fall");
    await check(page, javaScriptEnabled);
    await context.close();
  });
