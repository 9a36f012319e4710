import { type Page, expect } from "playwright/test";
import { Visitor, filledContactForm } from "../support/visitor";
import { signIn } from "./support/forms";
import { holdRequests, pageChanges, waitForScripts } from "./support/late-scripts";
import { test } from "./support/worker";

test.use({ baseURL: async ({ product }, provide) => provide(product.url) });

const tabs = (page: Page) => page.getByRole("navigation", { name: "Messages by state" });
const row = (page: Page, name: string) =>
  page.locator("details.inbox-row", { has: page.getByText(name, { exact: true }) });

/** Sends a message for each name, opens the inbox and waits until its scripts run. */
async function openInbox(page: Page, url: string, names: readonly string[]): Promise<void> {
  for (const name of names)
    await new Visitor(url).post("/contact", { ...filledContactForm, name, message: `From ${name}.` });
  await signIn(page);
  await waitForScripts(page);
}

test("the inbox shows a spinner while it loads, keeps the focus and loads no document", async ({ page, product }) => {
  await openInbox(page, product.url, ["Slow One", "Slow Two"]);
  const documents: string[] = [];
  page.on("request", (request) => void (request.isNavigationRequest() && documents.push(request.url())));
  const spinner = page.locator(".spinner");
  const watch = async (press: () => Promise<void>) => {
    const release = await holdRequests(page, "**/admin.data*");
    await press();
    await expect(spinner).toBeVisible();
    await expect(page.getByRole("status").filter({ hasText: "Loading" })).toBeVisible();
    await release();
    await expect(spinner).toHaveCount(0);
  };

  await watch(() => tabs(page).getByRole("link", { name: /^All/ }).click());
  await expect(tabs(page).getByRole("link", { name: /^All/ })).toBeFocused();

  const opened = row(page, "Slow One");
  await opened.locator("summary").first().click();
  await opened.getByText("More", { exact: true }).click();
  await watch(() => opened.getByRole("button", { name: "In progress: Slow One" }).click());
  await expect(page.getByText("Slow One: in progress.")).toBeInViewport();
  await expect(opened.locator(".inbox-open")).toBeFocused();
  await expect(opened.getByText("From Slow One.").last()).toBeVisible();
  await expect(opened.getByRole("button", { name: "Done: Slow One" })).toBeVisible();

  await page.getByRole("searchbox").fill("Slow Two");
  await watch(() => page.getByRole("button", { name: "Search" }).click());
  await expect(row(page, "Slow One")).toHaveCount(0);
  await expect(page.getByText("Slow One: in progress.")).toHaveCount(0);
  await watch(() => page.getByRole("link", { name: "Clear search" }).click());
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await expect(page.locator("#content")).toBeFocused();
  expect(documents).toEqual([]);
});

test("the inbox survives a translator, a lost connection and a double click", async ({ page, product }) => {
  await openInbox(page, product.url, ["Lost One", "Lost Two"]);
  await page.evaluate(pageChanges["a translator"]);
  await tabs(page).locator("a[href*='filter=all']").click();
  await expect(page).toHaveURL(/filter=all/);
  await expect(tabs(page).locator("a[aria-current]")).toHaveAttribute("href", /filter=all/);

  const opened = page.locator("details.inbox-row", { hasText: "Lost One" });
  await opened.locator("summary").first().click();
  await page.route("**/admin.data*", (route) => route.abort());
  await opened.locator("button[value='done']").click();
  await expect(page.getByText("your change may not be saved")).toBeInViewport();
  await expect(opened.locator(".message-body")).toBeVisible();
  // When a part of the list cannot be fetched, the browser loads the page as a document.
  await tabs(page).locator("a[href*='filter=in_progress']").click();
  await page.waitForURL("**/admin?filter=in_progress");
  await expect(page.getByText("your change may not be saved")).toHaveCount(0);
  await page.unroute("**/admin.data*");

  await page.goto("/admin?filter=all");
  await waitForScripts(page);
  let posts = 0;
  page.on("request", (request) => void (request.method() === "POST" && (posts += 1)));
  const release = await holdRequests(page, "**/admin.data*");
  const other = row(page, "Lost Two");
  await other.locator("summary").first().click();
  await other.getByRole("button", { name: "Done: Lost Two" }).dblclick();
  await release();
  await expect(page.getByText("Lost Two: done.")).toBeVisible();
  expect(posts).toBe(1);
});
