import type { Page } from "playwright/test";
import { readRequestLinks } from "../support/data-rights";
import { expectAccessible } from "./support/axe";
import { answerBanner } from "./support/consent-page";
import { fillRequestForm } from "./support/forms";
import { waitForScripts } from "./support/late-scripts";
import { expect, test } from "./support/product";

const fact = (page: Page, name: string) =>
  page
    .locator("dl > div")
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator("dd");

test("a requester corrects mistakes, sends, confirms, views and withdraws a data rights request", async ({
  page,
  product,
  javaScriptEnabled,
}) => {
  const email = `life-${javaScriptEnabled ? "with" : "without"}@scripts.example`;
  const send = () => page.getByRole("button", { name: "Submit Request" }).click();
  const check = () => (javaScriptEnabled ? expectAccessible(page) : Promise.resolve());
  await page.goto("/privacy-policy");
  // The cookie banner would cover the bottom of each page and a part of some links.
  await answerBanner(page, "Reject All");
  await page.getByRole("main").getByRole("link", { name: "your data rights" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your Data Rights");
  if (javaScriptEnabled) await waitForScripts(page);
  await fillRequestForm(page, { email: "no address", requestType: "", description: "Kept text" });
  await send();
  await expect(page.getByRole("heading", { name: "There is a problem" })).toBeInViewport();
  await check();
  await page.getByRole("link", { name: "Select the type of request" }).click();
  const type = page.getByLabel("Request type");
  await expect(type).toBeFocused();
  await expect(type).toBeInViewport();
  await expect(type).toHaveAccessibleDescription(/Select the type of request/);
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue("no address");
  await expect(page.getByLabel("Additional details")).toHaveValue("Kept text");

  await fillRequestForm(page, { email, requestType: "erasure" });
  await send();
  await expect(page.getByText("Request Submitted")).toBeInViewport();
  const step = page.getByRole("heading", { level: 1, name: "One more step: check your email" });
  await expect(step).toBeInViewport();
  await expect(page.getByLabel("Full name")).toHaveCount(0);
  await page.reload();
  await expect(step).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Your data rights" }).click();
  for (const label of ["Full name", "Email", "Request type", "Additional details"])
    await expect(page.getByLabel(label)).toHaveValue("");

  const { confirm, status, due } = await readRequestLinks(product.dataDir, email);
  await page.goto("/data-rights/confirm?token=forged");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link no longer works");
  await check();
  await page.goto(confirm);
  await check();
  await page.getByRole("button", { name: "Confirm my request" }).click();
  await expect(page.getByText("Request confirmed")).toBeInViewport();
  for (const visit of [() => page.reload(), () => page.goBack(), () => page.goto(confirm)]) {
    await visit();
    await expect(fact(page, "State")).toHaveText("Confirmed");
    await expect(fact(page, "We answer by")).toHaveText(due);
  }

  await page.goto(status);
  await check();
  const withdraw = page.getByRole("button", { name: "Withdraw this request" });
  await withdraw.click();
  await expect(page.getByRole("heading", { name: "Withdraw this request?" })).toBeInViewport();
  await check();
  await page.getByRole("link", { name: "No, keep it" }).click();
  await expect(fact(page, "State")).toHaveText("Confirmed");
  await withdraw.click();
  await page.getByRole("button", { name: "Yes, withdraw it" }).click();
  await expect(page.getByText("Request withdrawn")).toBeInViewport();
  await expect(fact(page, "State")).toHaveText("Withdrawn");
  await expect(withdraw).toHaveCount(0);
});
