import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import type { Page } from "playwright/test";
import { insertMembers } from "../support/network";
import { startSite, testAdmin } from "../support/site";
import { makeSiteFolder } from "../support/site-folder";
import { expect, signIn } from "./support/account-site";
import { findViolationsInBothSchemes } from "./support/axe";
import { test } from "./support/worker";

const longAddress = `${"long-address-".repeat(4)}${"x".repeat(10)}@${"d".repeat(9)}.example`;

let url: string;
let stop: () => Promise<void>;

test.beforeAll(async () => {
  // The build and its libraries expect production.
  process.env.NODE_ENV = "production";
  const dataDir = await makeSiteFolder();
  const database = await PGlite.create(join(dataDir, "pg"));
  const sql = async <Row>(query: string, parameters?: unknown[]) => (await database.query<Row>(query, parameters)).rows;
  await insertMembers(sql, [
    { name: "Ada Lovelace", email: longAddress, company: "Engines-and-more-".repeat(8), fields: ["ai", "devices"] },
    ...Array.from({ length: 39 }, (_, n) => ({ name: `Investor ${n}`, kind: n % 2 === 0 ? "fund" : "angel" })),
  ]);
  await database.close();
  const site = await startSite({}, { dataDir });
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

for (const width of [320, 360, 1280])
  test(`an admin finds, admits and removes a member, ${width} pixels wide`, async ({ browser, javaScriptEnabled }) => {
    const context = await browser.newContext({ baseURL: url, javaScriptEnabled, viewport: { width, height: 800 } });
    const page = await context.newPage();
    await signIn(page, testAdmin);
    await page.getByRole("link", { name: "Network" }).click();
    await check(page, javaScriptEnabled);
    await page.getByLabel("Kind").selectOption("Venture or private equity firm");
    await page.getByRole("button", { name: "Show" }).click();
    await expect(page.getByText(/^\d+ members match\.$/)).toBeVisible();
    await page.goto("/admin/network");
    await page.locator(".member-row").first().click();
    await check(page, javaScriptEnabled);
    await page.getByLabel("Note").fill("We met");
    await page.getByRole("button", { name: "Admit" }).click();
    await expect(page.getByText("They are in the network now. No email was sent.")).toBeVisible();
    await page.getByRole("button", { name: "Add the note only" }).click();
    await expect(page.getByText("There is a problem")).toBeVisible();
    await check(page, javaScriptEnabled);
    await page.getByRole("button", { name: "Remove from the network" }).click();
    await expect(page.getByRole("heading", { name: "Remove from the network?" })).toBeVisible();
    await check(page, javaScriptEnabled);
    await page.getByRole("button", { name: "Remove permanently" }).click();
    await expect(page.getByText("Removed")).toBeVisible();
    await context.close();
  });
