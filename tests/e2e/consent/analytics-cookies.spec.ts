import type { Page, Response } from "playwright/test";
import { type Traces, watchTraces } from "../support/browser-traces";
import { answerBanner, openPreferences, preferences, readChoice } from "../support/consent-page";
import { expect, test as base } from "../support/product";
import { analyticsProperty } from "../support/worker";

const tagCookies = ["_ga", "_ga_TEST123456", "_gid"];
const tagAddress = `https://www.googletagmanager.com/gtag/js?id=${analyticsProperty}`;

/**
 * Imitates Google's script: sets its cookies repeatedly, unless it is disabled as Google documents. Counts its rounds in
 * `window.rounds`.
 */
function imitateTag(measurementId: string): void {
  const set = () => {
    Reflect.set(window, "rounds", 1 + (Reflect.get(window, "rounds") ?? 0));
    if (Reflect.get(window, `ga-disable-${measurementId}`) === true) return;
    const settings = Reflect.get(window, "dataLayer") as ArrayLike<unknown>[];
    const config = Array.from(settings, (call) => Array.from(call)).find(([command]) => command === "config");
    if (!config) throw new Error("The page does not say what to measure.");
    const { cookie_expires: lifetime } = config[2] as { cookie_expires: number };
    document.cookie = `_ga=GA1.1.1.1; Path=/; Max-Age=${lifetime}`;
    document.cookie = `_ga_${measurementId.slice(2)}=GS1.1.1; Path=/; Max-Age=${lifetime}`;
    document.cookie = "_gid=GA1.1.2.2; Path=/; Max-Age=86400";
  };
  set();
  setInterval(set, 20);
}

const test = base.extend<{ traces: Traces }>({
  baseURL: ({ measuredProduct }, provide) => provide(measuredProduct.url),
  traces: async ({ page, context, measuredProduct }, provide) => {
    const body = `(${imitateTag.toString()})(${JSON.stringify(analyticsProperty)})`;
    await context.route(/google/, (route) => route.fulfill({ contentType: "text/javascript", body }));
    await provide(watchTraces(page, context, measuredProduct.url));
  },
});

// cookie-registry.spec.ts checks that no page contacts Google without consent.
for (const path of ["/about", "/contact"]) {
  test(`analytics sets only listed cookies, and none after consent is withdrawn on ${path}`, async ({
    page,
    context,
    traces,
  }) => {
    await page.goto("/value");
    await answerBanner(page, "Accept All");
    await expect.poll(() => readChoice(context)).toBe("a=1&m=1 by banner");
    await page.goto(path);
    await expect.poll(() => traces.listCookies()).toEqual([...tagCookies, "cookie-consent", "session-id"].toSorted());
    expect(await traces.findUnlisted()).toEqual([]);
    expect(traces.foreignRequests).toEqual([tagAddress]);

    await openPreferences(page);
    await preferences(page).getByRole("switch", { name: "Analytics" }).uncheck();
    const saved = page.waitForResponse(
      (response) => response.url().includes("/consent") && response.request().method() === "POST",
    );
    await preferences(page).getByRole("button", { name: "Save Preferences" }).click();
    expect(await readRemoved(await saved)).toEqual(tagCookies);
    await expect(preferences(page)).toBeHidden();
    await expect.poll(() => readChoice(context)).toBe("a=0&m=1 by dialog");
    // The tag of an open page would set them again if the page did not notify it.
    const rounds = (await countRounds(page)) ?? 0;
    const isAfterNext = (now: number | null) => now === null || now > rounds + 1;
    await expect.poll(async () => isAfterNext(await countRounds(page))).toBe(true);
    expect(await traces.listCookies()).toEqual(["cookie-consent", "session-id"]);

    const requestCount = traces.foreignRequests.length;
    await page.goto("/startups");
    expect(traces.foreignRequests).toHaveLength(requestCount);
    expect(await traces.listCookies()).toEqual(["cookie-consent", "session-id"]);
    expect(await traces.findUnlisted()).toEqual([]);
  });
}

/** Returns the rounds of the tag on this page; null after the page was loaded again without it. */
function countRounds(page: Page): Promise<number | null> {
  return page.evaluate(() => Reflect.get(window, "rounds") ?? null);
}

/** Returns the names of the cookies that a response removes, in alphabetical order. */
async function readRemoved(response: Response): Promise<string[]> {
  const lines = (await response.headerValues("set-cookie")).filter((line) => /; Max-Age=0/i.test(line));
  return [...new Set(lines.map((line) => line.slice(0, line.indexOf("="))))].toSorted();
}
