import type { Page } from "@playwright/test";
import { publicPaths } from "../../support/page-source";
import { testAdmin } from "../../support/product";
import { type Traces, watchTraces } from "../support/browser-traces";
import { banner, preferences } from "../support/consent-page";
import { fillContactForm } from "../support/contact-page";
import { expect, test as base } from "../support/product";

const unlisted = ["/login", "/admin", "/no-such-page", "/about?cookie-preferences=open"];
const everyPage = [...publicPaths, ...unlisted];

const test = base.extend<{ traces: Traces }>({
  traces: async ({ page, context, product }, provide) => provide(watchTraces(page, context, product.url)),
});

test.describe.configure({ timeout: 120_000 });

/**
 * Every page, one after the other, is looked at where scripts run: they are the only ones to store anything or to ask for more. The
 * answers are the same without them, and no page holds anything (`noscript`) for whoever runs none.
 */
async function openEveryPage(page: Page, look: (path: string) => Promise<void>): Promise<void> {
  for (const path of everyPage) {
    await page.goto(path);
    await look(path);
    await expect(page.locator("noscript"), path).toHaveCount(0);
  }
}

for (const [name, headers, expected] of [
  ["no signal", {}, []],
  ["Global Privacy Control", { "Sec-GPC": "1" }, ["cookie-consent"]],
  ["Do Not Track", { DNT: "1" }, ["cookie-consent"]],
] as [string, Record<string, string>, string[]][]) {
  test.describe(`with ${name}`, () => {
    test.use({ extraHTTPHeaders: headers });

    test("before a choice no page sets a cookie but the signal's, without a number, asks another host or stores what is not listed", async ({
      page,
      context,
      traces,
      javaScriptEnabled,
    }) => {
      test.skip(!javaScriptEnabled, "the answers are the same");
      await openEveryPage(page, async (path) => {
        expect(await traces.findUnlisted(), path).toEqual([]);
        expect(await traces.listCookies(), path).toEqual(expected);
        for (const { value } of await context.cookies())
          expect(value, path).toMatch(/^v=[\d.]+&a=0&m=0&by=signal&at=[\d-]+T00:00:00.000Z&text=\w{64}(&unsaved=1)?$/);
      });
      expect(traces.foreignRequests).toEqual([]);
    });
  });
}

for (const choice of ["Accept All", "Reject All", "Close"]) {
  test(`after ${choice} no page does more than the registry says`, async ({ page, traces, javaScriptEnabled }) => {
    test.skip(!javaScriptEnabled, "the answers are the same");
    await page.goto("/contact");
    await banner(page).getByRole("button", { name: choice }).click();
    const expected = choice === "Close" ? ["cookie-banner"] : ["cookie-consent", "session-id"];
    await expect.poll(() => traces.listCookies()).toEqual(expected);
    expect(await traces.findUnlisted()).toEqual([]);
    await openEveryPage(page, async (path) => {
      expect(await traces.findUnlisted(), path).toEqual([]);
      expect(await traces.listCookies(), path).toEqual(expected);
    });
    expect(traces.foreignRequests).toEqual([]);
  });
}

test("changing, closing and withdrawing keep to the registry", async ({ page, traces }) => {
  await page.goto("/startups");
  await banner(page).getByRole("button", { name: "Close" }).click();
  await expect(banner(page)).toBeHidden();
  for (const kinds of [["Analytics", "Marketing"], ["Marketing"], []]) {
    await page.goto("/startups?cookie-preferences=open");
    for (const kind of ["Analytics", "Marketing"]) {
      await preferences(page).getByRole("switch", { name: kind }).setChecked(kinds.includes(kind));
    }
    await preferences(page).getByRole("button", { name: "Save Preferences" }).click();
    await expect(page).toHaveURL(/\/startups$/);
    expect(await traces.findUnlisted()).toEqual([]);
    expect(await traces.listCookies()).toEqual(["cookie-consent", "session-id"]);
  }
  expect(traces.foreignRequests).toEqual([]);
});

test("a message sent, a mistaken and a true sign-in, and signing out keep to the registry", async ({
  page,
  traces,
}) => {
  await page.goto("/contact");
  await fillContactForm(page);
  await page.getByRole("checkbox", { name: /privacy policy/i }).check();
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByText("Message Sent!")).toBeVisible();
  expect(await traces.findUnlisted()).toEqual([]);
  await expect.poll(() => traces.listCookies()).toEqual([]);

  for (const password of ["not the passphrase", testAdmin.password]) {
    await page.goto("/login");
    await page.getByLabel("Email").fill(testAdmin.email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign In" }).click();
    const outcome = password === testAdmin.password ? "Admin Dashboard" : "Login failed";
    await expect(page.getByText(outcome).first()).toBeVisible();
    expect(await traces.findUnlisted()).toEqual([]);
  }
  await expect.poll(() => traces.listCookies()).toEqual(["admin-session", "known-device"]);
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await traces.findUnlisted()).toEqual([]);
  await expect.poll(() => traces.listCookies()).toEqual(["known-device"]);
  expect(traces.foreignRequests).toEqual([]);
});
