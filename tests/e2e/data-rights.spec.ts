import type { Page } from "playwright/test";
import { filledDataRightsForm, readRequestLinks } from "../support/data-rights";
import { banner } from "./support/consent-page";
import { holdRequests } from "./support/hold-requests";
import { findViolationsInBothSchemes } from "./support/axe";
import { expect, test } from "./support/product";

async function fillForm(page: Page, values: Partial<typeof filledDataRightsForm> = {}) {
  const { name, email, requestType, description } = { ...filledDataRightsForm, ...values };
  await page.getByLabel("Full name").fill(name);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Request type").selectOption(requestType);
  await page.getByLabel("Additional details").fill(description);
}

const fact = (page: Page, name: string) =>
  page
    .locator("dl > div")
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator("dd");

/** Waits for hydration. The page works before it, but these tests are about the time after it. */
const waitForScripts = (page: Page) =>
  page.waitForFunction(() =>
    Object.keys(document.querySelector("main form") ?? {}).some((key) => key.startsWith("__reactProps")),
  );

test("a requester sends, confirms, views and withdraws a data rights request", async ({
  page,
  product,
  javaScriptEnabled,
}) => {
  const email = `life-${javaScriptEnabled ? "with" : "without"}@scripts.example`;
  await page.goto("/privacy-policy");
  await page.getByRole("main").getByRole("link", { name: "your data rights" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your Data Rights");
  if (javaScriptEnabled) await waitForScripts(page);
  await fillForm(page, { email, requestType: "erasure" });
  await page.getByRole("button", { name: "Submit Request" }).click();
  await expect(page.getByText("Request Submitted")).toBeInViewport();
  await expect(
    page.getByText("We've received your data rights request. We'll respond within 30 days as required by GDPR."),
  ).toBeVisible();
  const step = page.getByRole("heading", { level: 1, name: "One more step: check your email" });
  await expect(step).toBeInViewport();
  await expect(page.getByLabel("Full name")).toHaveCount(0);
  await page.reload();
  await expect(step).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Your data rights" }).click();
  for (const label of ["Full name", "Email", "Request type", "Additional details"]) {
    await expect(page.getByLabel(label)).toHaveValue("");
  }

  const { confirm, status, reference, due } = await readRequestLinks(product.dataDir, email);
  await page.goto(confirm);
  await expect(fact(page, "Reference")).toHaveText(reference);
  await expect(fact(page, "Request type")).toContainText("Erasure");
  await expect(fact(page, "We answer by")).toHaveText(due);
  await page.getByRole("button", { name: "Confirm my request" }).click();
  await expect(page.getByText("Request confirmed")).toBeInViewport();
  for (const visit of [() => page.reload(), () => page.goBack(), () => page.goto(confirm)]) {
    await visit();
    await expect(fact(page, "State")).toHaveText("Confirmed");
    await expect(fact(page, "We answer by")).toHaveText(due);
  }
  await page.goto(confirm.slice(0, -1));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link no longer works");
  await page.getByRole("main").getByRole("link", { name: "Contact us" }).click();
  await expect(page).toHaveURL(/\/contact(?:\?notice=.*)?$/);

  await page.goto(status);
  await expect(fact(page, "State")).toHaveText("Confirmed");
  const withdraw = page.getByRole("button", { name: "Withdraw this request" });
  await withdraw.click();
  await expect(page.getByRole("heading", { name: "Withdraw this request?" })).toBeInViewport();
  await page.getByRole("link", { name: "No, keep it" }).click();
  await expect(fact(page, "State")).toHaveText("Confirmed");
  await withdraw.click();
  await page.getByRole("button", { name: "Yes, withdraw it" }).click();
  await expect(page.getByText("Request withdrawn")).toBeInViewport();
  await expect(fact(page, "State")).toHaveText("Withdrawn");
  await expect(withdraw).toHaveCount(0);
});

test("the data rights form keeps every word after errors, names them at the fields and links to them", async ({
  page,
  javaScriptEnabled,
}) => {
  await page.goto("/data-rights");
  if (javaScriptEnabled) await waitForScripts(page);
  await fillForm(page, { email: "no address", requestType: "", description: "Kept text" });
  await page.getByRole("button", { name: "Submit Request" }).click();
  await expect(page.getByRole("heading", { name: "There is a problem" })).toBeInViewport();
  await expect(page).toHaveTitle(/^Error: Your Data Rights/);
  await page.getByRole("link", { name: "Select the type of request" }).click();
  const type = page.getByLabel("Request type");
  await expect(type).toBeFocused();
  await expect(type).toBeInViewport();
  await expect(type).toHaveAccessibleDescription(/Select the type of request/);
  await expect(page.getByLabel("Email")).toHaveValue("no address");
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription(/must match the email address associated/);
  await expect(page.getByLabel("Additional details")).toHaveValue("Kept text");

  await fillForm(page, { email: `second-try-${String(javaScriptEnabled)}@scripts.example` });
  await page.getByRole("button", { name: "Submit Request" }).click();
  await expect(page.getByText("Request Submitted")).toBeInViewport();
  await expect(page).toHaveTitle(/^Your Data Rights/);
});

test.describe("with scripts", () => {
  test.skip(({ javaScriptEnabled }) => !javaScriptEnabled);

  test("the submit button shows progress and is disabled while the request is sent", async ({ page }) => {
    await page.goto("/data-rights");
    await waitForScripts(page);
    await fillForm(page, { email: "slow@scripts.example" });
    const release = await holdRequests(page, "**/data-rights.data");
    await page.getByRole("button", { name: "Submit Request" }).click();
    await expect(page.getByRole("button", { name: "Submitting..." })).toBeDisabled();
    await release();
    await expect(page.getByText("Request Submitted")).toBeInViewport();
    await expect(page.getByLabel("Full name")).toHaveCount(0);
  });

  test("a failed submission keeps the form's text and scrolls to the error", async ({ page }) => {
    await page.goto("/data-rights");
    await waitForScripts(page);
    await fillForm(page, { email: "broken@scripts.example" });
    await page.route("**/data-rights.data", (route) => route.abort());
    await page.getByRole("button", { name: "Submit Request" }).click();
    const message = page.getByText("Failed to submit your request. Please try again or contact us directly.");
    await expect(message).toBeInViewport();
    await expect(page.getByLabel("Request type")).toHaveValue(filledDataRightsForm.requestType);
    await expect(page.getByLabel("Additional details")).toHaveValue(filledDataRightsForm.description);
    await page.unroute("**/data-rights.data");
    await page.getByRole("button", { name: "Submit Request" }).click();
    await expect(page.getByText("Request Submitted")).toBeInViewport();
  });

  test("every state of the pages passes axe at 360 and 1280 px, light and dark", async ({ page, product }) => {
    const email = "axe@scripts.example";
    const body = new URLSearchParams({ ...filledDataRightsForm, email });
    await fetch(`${product.url}/data-rights`, { method: "POST", body, redirect: "manual" });
    const { confirm, status } = await readRequestLinks(product.dataDir, email);

    await page.goto("/data-rights");
    // The cookie banner covers the bottom of a page and a part of some links; its own tests check it. It hides before
    // the response arrives, and a visitor who leaves before that may see it again.
    const chosen = page.waitForResponse((response) => new URL(response.url()).pathname.startsWith("/consent"));
    await banner(page).getByRole("button", { name: "Reject All" }).click();
    await chosen;
    await expect(banner(page)).toBeHidden();
    await page.locator("main form").evaluate((form: HTMLFormElement) => form.submit());
    await expect(page.getByText("There is a problem")).toBeVisible();
    await expectAccessible(page);
    for (const path of [confirm, status, `${status}&withdraw=ask`, "/data-rights/confirm?token=forged"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
      await expectAccessible(page);
    }
  });
});

async function expectAccessible(page: Page) {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await findViolationsInBothSchemes(page), `${width} px`).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `${width} px`).toBeLessThanOrEqual(0);
  }
}
