import type { Page } from "playwright/test";
import { publicPaths } from "../../support/page-source";
import { type Traces, watchTraces } from "../support/browser-traces";
import { answerBanner } from "../support/consent-page";
import { sendContactForm, signIn } from "../support/forms";
import { expect, test as base } from "../support/product";

const everyPage = [...publicPaths, "/login", "/admin", "/no-such-page", "/about?cookie-preferences=open"];

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

// With scripts only, because only scripts could store or request more: the responses are the same without them.
for (const { name, on, headers, expected } of [
  { name: "no signal", on: testMeasured, headers: {}, expected: [] },
  { name: "Global Privacy Control", on: test, headers: { "Sec-GPC": "1" }, expected: ["cookie-consent"] },
] as { name: string; on: typeof test; headers: Record<string, string>; expected: string[] }[])
  on.describe(`with ${name}`, () => {
    on.use({ extraHTTPHeaders: headers });

    on(
      "before a decision, pages keep to the registry, set no id and contact no other host",
      async ({ page, context, traces }) => {
        await expectListedOn(everyPage, page, traces, expected);
        for (const { value } of await context.cookies())
          expect(value).toMatch(/^v=[\d.]+&a=0&m=0&by=signal&at=[\d-]+T00:00:00.000Z&text=\w{64}(&unsaved=1)?$/);
      },
    );
  });

for (const [choice, on] of [
  ["Accept All", test],
  ["Reject All", testMeasured],
] as [string, typeof test][])
  on(`every page keeps to the registry after ${choice}`, async ({ page, traces }) => {
    await page.goto("/contact");
    await answerBanner(page, choice);
    await expect.poll(() => traces.listCookies()).toEqual(["cookie-consent", "session-id"]);
    await expectListedOn(everyPage, page, traces, ["cookie-consent", "session-id"]);
  });

test("a sent message, a sign-in and a sign-out keep to the registry", async ({ page, traces }) => {
  await page.goto("/contact");
  await sendContactForm(page);
  expect(await traces.findUnlisted()).toEqual([]);
  await expect.poll(() => traces.listCookies()).toEqual([]);
  await signIn(page);
  expect(await traces.findUnlisted()).toEqual([]);
  await expect.poll(() => traces.listCookies()).toEqual(["admin-session", "known-device"]);
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/\/login\?notice=loggedOut/);
  expect(await traces.findUnlisted()).toEqual([]);
  await expect.poll(() => traces.listCookies()).toEqual(["known-device"]);
  expect(traces.foreignRequests).toEqual([]);
});

/** Opens pages one after the other, and expects these cookies, nothing unlisted and no request to another host. */
async function expectListedOn(paths: string[], page: Page, traces: Traces, names: string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    expect(await traces.findUnlisted(), path).toEqual([]);
    expect(await traces.listCookies(), path).toEqual(names);
    await expect(page.locator("noscript"), path).toHaveCount(0);
  }
  expect(traces.foreignRequests).toEqual([]);
}
