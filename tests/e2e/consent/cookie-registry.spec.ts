import type { Page } from "playwright/test";
import { publicPaths } from "../../support/page-source";
import { testAdmin } from "../../support/product";
import { type Traces, watchTraces } from "../support/browser-traces";
import { banner, preferences } from "../support/consent-page";
import { fillContactForm } from "../support/contact-page";
import { expect, test as base } from "../support/product";

const unlisted = ["/login", "/admin", "/no-such-page", "/about?cookie-preferences=open"];
const everyPage = [...publicPaths, ...unlisted];
/**
 * One page of each kind. One function reads both signals, and a page after Close behaves as before a decision, only
 * without the banner. Every page is checked with one signal and before a decision, so one page of each kind suffices
 * for the other signal and for Close.
 */
const eachKind = ["/", "/privacy-policy", "/contact", "/data-rights", ...unlisted];

const test = base.extend<{ traces: Traces }>({
  traces: async ({ page, context, baseURL }, provide) => provide(watchTraces(page, context, baseURL ?? "")),
});

/** The same with Google Analytics. Without consent, no page contacts Google, as none contacts any other host. */
const testMeasured = test.extend({
  baseURL: ({ measuredProduct }, provide) => provide(measuredProduct.url),
  context: async ({ context }, provide) => {
    await context.route(/google/, (route) => route.abort());
    await provide(context);
  },
});

test.describe.configure({ timeout: 120_000 });

/**
 * Opens pages one after the other, with scripts only, because only scripts could store or request more. The responses
 * are the same without scripts, and no page has a `noscript` element.
 */
async function openPages(page: Page, paths: string[], look: (path: string) => Promise<void>): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await look(path);
    await expect(page.locator("noscript"), path).toHaveCount(0);
  }
}

for (const { name, on, headers, paths, expected } of [
  { name: "no signal", on: testMeasured, headers: {}, paths: everyPage, expected: [] },
  {
    name: "Global Privacy Control",
    on: test,
    headers: { "Sec-GPC": "1" },
    paths: everyPage,
    expected: ["cookie-consent"],
  },
  { name: "Do Not Track", on: test, headers: { DNT: "1" }, paths: eachKind, expected: ["cookie-consent"] },
] as { name: string; on: typeof test; headers: Record<string, string>; paths: string[]; expected: string[] }[]) {
  on.describe(`with ${name}`, () => {
    on.use({ extraHTTPHeaders: headers });

    on(
      "before a decision, pages keep to the registry, set no id and contact no other host",
      async ({ page, context, traces, javaScriptEnabled }) => {
        on.skip(!javaScriptEnabled, "the responses are the same");
        await openPages(page, paths, async (path) => {
          expect(await traces.findUnlisted(), path).toEqual([]);
          expect(await traces.listCookies(), path).toEqual(expected);
          for (const { value } of await context.cookies())
            expect(value, path).toMatch(
              /^v=[\d.]+&a=0&m=0&by=signal&at=[\d-]+T00:00:00.000Z&text=\w{64}(&unsaved=1)?$/,
            );
        });
        expect(traces.foreignRequests).toEqual([]);
      },
    );
  });
}

for (const [choice, on, paths] of [
  ["Accept All", test, everyPage],
  ["Reject All", testMeasured, everyPage],
  ["Close", test, eachKind],
] as [string, typeof test, string[]][]) {
  on(`every page keeps to the registry after ${choice}`, async ({ page, traces, javaScriptEnabled }) => {
    on.skip(!javaScriptEnabled, "the responses are the same");
    await page.goto("/contact");
    await banner(page).getByRole("button", { name: choice }).click();
    const expected = choice === "Close" ? ["cookie-banner"] : ["cookie-consent", "session-id"];
    await expect.poll(() => traces.listCookies()).toEqual(expected);
    expect(await traces.findUnlisted()).toEqual([]);
    await openPages(page, paths, async (path) => {
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
    await expect(page).toHaveURL(/\/startups\?notice=choiceSaved/);
    expect(await traces.findUnlisted()).toEqual([]);
    expect(await traces.listCookies()).toEqual(["cookie-consent", "session-id"]);
  }
  expect(traces.foreignRequests).toEqual([]);
});

test("a sent message, a failed and a successful sign-in, and a sign-out keep to the registry", async ({
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
  await expect(page).toHaveURL(/\/login\?notice=loggedOut/);
  expect(await traces.findUnlisted()).toEqual([]);
  await expect.poll(() => traces.listCookies()).toEqual(["known-device"]);
  expect(traces.foreignRequests).toEqual([]);
});
