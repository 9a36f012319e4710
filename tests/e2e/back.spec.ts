import { type Page, expect } from "playwright/test";
import { filledDataRightsForm, readMailsTo } from "../support/data-rights";
import { testAdmin } from "../support/product";
import { Visitor, filledContactForm, readText } from "../support/visitor";
import { banner } from "./support/consent-page";
import { fillContactForm } from "./support/contact-page";
import { test as base } from "./support/worker";

/** Opens pages in Chromium with and without its back/forward cache. */
const test = base.extend<{ pages: Record<"cached" | "fresh", Page> }>({
  baseURL: async ({ product }, provide) => provide(product.url),
  pages: async ({ page, baseURL, javaScriptEnabled, browserWithPageCache }, provide) => {
    const context = await browserWithPageCache.newContext({ baseURL, javaScriptEnabled });
    await provide({ cached: await context.newPage(), fresh: page });
    await context.close();
  },
});

/** Presses Back. The page may be gone before the call returns, which is not a failure. */
const pressBack = (page: Page) => page.evaluate(() => history.back()).catch(() => undefined);

/** Goes back and waits until the browser is on this path. A page from the back/forward cache fires no load event. */
async function goBack(page: Page, path: string): Promise<void> {
  const from = page.url();
  await pressBack(page);
  await expect.poll(() => (page.url() === from ? null : new URL(page.url()).pathname)).toBe(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** Returns a list that fills with Chromium's reasons why it kept a page out of its back/forward cache. */
async function watchPageCache(page: Page): Promise<string[]> {
  const reasons: string[] = [];
  const session = await page.context().newCDPSession(page);
  session.on("Page.backForwardCacheNotUsed", ({ notRestoredExplanations }) =>
    reasons.push(...notRestoredExplanations.map(({ reason }) => reason)),
  );
  await session.send("Page.enable");
  return reasons;
}

test("the banner stays hidden when Back opens an earlier page", async ({ pages }) => {
  for (const page of Object.values(pages)) {
    await page.goto("/startups");
    await page.goto("/about");
    await banner(page).getByRole("button", { name: "Reject All" }).click();
    await expect(banner(page)).toBeHidden();
    await goBack(page, "/startups");
    await expect(banner(page)).toHaveCount(0);
  }
});

test("Back restores a page from memory after a cookie decision", async ({ pages: { cached: page } }) => {
  const reasons = await watchPageCache(page);
  await page.goto("/about");
  await banner(page).getByRole("button", { name: "Reject All" }).click();
  await expect(banner(page)).toBeHidden();
  await page.evaluate(() => (document.title = "kept in memory"));
  await page.goto("/value");
  await goBack(page, "/about");
  test.skip(
    reasons.includes("BackForwardCacheDisabledForDelegate"),
    "Chromium's headless shell keeps no page in memory.",
  );
  expect(await page.title()).toBe("kept in memory");
});

test("a contact form keeps its text after Back and sends one message", async ({
  pages,
  product,
  javaScriptEnabled,
}) => {
  const admin = new Visitor(product.url);
  await admin.signIn();
  for (const [kind, page] of Object.entries(pages)) {
    const name = `Back ${kind}`;
    const send = async () => {
      await page.getByRole("checkbox").check();
      await page.getByRole("button", { name: "Send Message" }).click();
      await expect(page.getByText("Message Sent!")).toBeVisible();
    };
    await page.goto("/contact", { waitUntil: "networkidle" });
    await fillContactForm(page, { name });
    // With scripts, the confirmation replaces the form in the history, and Back skips both.
    if (javaScriptEnabled) await page.goto("/about");
    else await send();
    await goBack(page, "/contact");
    for (const [label, value] of [
      ["Name", name],
      ["Goal", filledContactForm.goal],
      ["Message", filledContactForm.message],
    ] as const)
      await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
    await send();
    if (javaScriptEnabled) {
      await page.goto("/contact", { waitUntil: "networkidle" });
      await fillContactForm(page, { name });
      await send();
    }
    const countMessages = async () => (await admin.get("/admin?filter=all")).html.split(`>${name}</h3>`).length - 1;
    await expect.poll(countMessages).toBe(1);
  }
});

test("a data rights form keeps its text after Back and creates one request", async ({
  pages,
  product,
  javaScriptEnabled,
}) => {
  for (const [kind, page] of Object.entries(pages)) {
    const email = `back-${kind}-${javaScriptEnabled ? "with" : "without"}@people.example`;
    const fill = async () => {
      await page.goto("/data-rights", { waitUntil: "networkidle" });
      await page.getByLabel("Full name").fill(filledDataRightsForm.name);
      await page.getByLabel("Email", { exact: true }).fill(email);
      await page.getByLabel("Request type").selectOption(filledDataRightsForm.requestType);
      await page.getByLabel("Additional details").fill(filledDataRightsForm.description);
    };
    const send = async () => {
      await page.getByRole("button", { name: "Submit Request" }).click();
      await expect(page.getByText("Request Submitted")).toBeVisible();
    };
    await fill();
    if (javaScriptEnabled) await page.goto("/about");
    else await send();
    await goBack(page, "/data-rights");
    await expect(page.getByLabel("Email", { exact: true })).toHaveValue(email);
    await expect(page.getByLabel("Request type")).toHaveValue(filledDataRightsForm.requestType);
    await expect(page.getByLabel("Additional details")).toHaveValue(filledDataRightsForm.description);
    await send();
    if (javaScriptEnabled) {
      await fill();
      await send();
    }
    await expect.poll(async () => (await readMailsTo(product.dataDir, email)).length, { timeout: 20_000 }).toBe(1);
  }
});

test("a reply that is sent again after Back creates one mail", async ({ pages, product }) => {
  const admin = new Visitor(product.url);
  await admin.signIn();
  for (const [kind, page] of Object.entries(pages)) {
    const [name, email] = [`Asks ${kind}`, `asks-${kind}@people.example`];
    await new Visitor(product.url).post("/contact", { ...filledContactForm, name, email });
    const { html } = await admin.get("/admin?filter=all");
    const id = new RegExp(`<h3 id="submission-([0-9a-f-]{36})"[^>]*>${name}</h3>`).exec(html)?.[1] ?? "";
    await page.goto("/login");
    await page.getByLabel("Email").fill(testAdmin.email);
    await page.getByLabel("Password").fill(testAdmin.password);
    await page.getByRole("button", { name: "Sign In" }).click();
    await page.waitForURL(/\/admin\?notice=/);
    await page.goto(`/admin/messages/${id}`);
    const reply = page.getByLabel("Your reply");
    const send = async () => {
      await reply.fill("We can help.");
      await page.getByRole("button", { name: "Send reply" }).click();
      await expect(page.getByText(`Replied to ${name}.`)).toBeVisible();
    };
    await send();
    await pressBack(page);
    await expect.poll(() => page.getByText(`Replied to ${name}.`).isVisible()).toBe(false);
    await send();
    const countReplies = async () =>
      (await readMailsTo(product.dataDir, email)).filter(({ subject }) => subject.startsWith("Re: ")).length;
    await expect.poll(countReplies, { timeout: 20_000 }).toBe(1);
    const countShown = async () =>
      readText((await admin.get(`/admin/messages/${id}`)).html).split("We can help.").length - 1;
    await expect.poll(countShown).toBe(1);
  }
});
