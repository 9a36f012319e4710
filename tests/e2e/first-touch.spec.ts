import type { Page } from "playwright/test";
import { answerBanner } from "./support/consent-page";
import { fillContactForm } from "./support/forms";
import { holdRequests, holdScripts, waitForScripts } from "./support/late-scripts";
import { expect, test } from "./support/product";

const message = (page: Page) => page.getByLabel("Message", { exact: true });
const send = (page: Page) => page.getByRole("button", { name: "Send Message" });

test("scripts come when a form is touched, is restored by Back or has mistakes, and not before", async ({ page }) => {
  let scripts = 0;
  page.on("request", (request) => void (request.resourceType() === "script" && (scripts += 1)));
  for (const path of ["/data-rights", "/login", "/contact?from=investors"]) {
    scripts = 0;
    await page.goto(path, { waitUntil: "networkidle" });
    await page.keyboard.press("Tab");
    await page.getByRole("heading", { level: 1 }).click();
    await page.locator("#main form input:not([type=hidden])").first().hover();
    if (path === "/data-rights") await answerBanner(page, "Reject All");
    await page.waitForLoadState("networkidle");
    expect(scripts, path).toBe(0);
    await waitForScripts(page);
  }
  await message(page).fill("Kept");
  await page.goto("/about");
  await page.goBack({ waitUntil: "networkidle" });
  await expect(message(page)).toHaveValue("Kept");
  await expect(send(page)).toBeDisabled();
  await page.goto("/login");
  await page.locator("#login").evaluate((form: HTMLFormElement) => form.submit());
  await expect(page.getByRole("alert")).toBeFocused();
});

test("a text typed while scripts come and start stays whole", async ({ page }) => {
  const text = "We run nine clinics and one laboratory. ".repeat(4);
  const run = await holdScripts(page);
  await page.goto("/contact?from=startups");
  await message(page).focus();
  await Promise.all([page.keyboard.type(text, { delay: 12 }), page.waitForTimeout(400).then(run)]);
  await expect(message(page)).toHaveValue(text);
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("Hello. ");
  await expect(message(page)).toHaveValue(`Hello. ${text}`);
});

test("a form sent before its scripts came is sent once, even if they come first", async ({ page }) => {
  const posts: string[] = [];
  page.on("request", (request) => void (request.method() === "POST" && posts.push(new URL(request.url()).pathname)));
  const run = await holdRequests(page, "**/assets/entry.client-*.js");
  await page.goto("/contact");
  await fillContactForm(page, { name: "Before scripts" });
  await page.getByRole("checkbox").check();
  // Playwright reads no page that is being left, so the page itself tells of its hydration.
  await page.locator("main").evaluate((main) => {
    const timer = setInterval(() => {
      if (!Object.keys(main).some((name) => name.startsWith("__reactProps"))) return;
      clearInterval(timer);
      console.log("hydrated");
    }, 20);
  });
  const release = await holdRequests(page, (url) => url.pathname === "/contact");
  await send(page).click({ noWaitAfter: true });
  await expect.poll(() => posts).toEqual(["/contact"]);
  const hydrated = page.waitForEvent("console", (log) => log.text() === "hydrated");
  await run();
  await hydrated;
  await release();
  await expect(page.getByText("Message Sent!")).toBeVisible();
  expect(posts).toEqual(["/contact"]);
});

test("a form whose scripts never come works as without scripts", async ({ page }) => {
  await page.route("**/assets/router-*.js", (route) => route.abort());
  await page.goto("/contact");
  await fillContactForm(page, { name: "No scripts came" });
  await send(page).click();
  await expect(page.getByText("There is a problem")).toBeVisible();
  await page.getByRole("checkbox").check();
  await send(page).click();
  await expect(page.getByText("Message Sent!")).toBeVisible();
});
