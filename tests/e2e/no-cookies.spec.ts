import { expect } from "playwright/test";
import { readRequestLinks } from "../support/data-rights";
import { testAdmin } from "../support/test-admin";
import { banner } from "./support/consent-page";
import { fillRequestForm, sendContactForm } from "./support/forms";
import { startProxyWithoutCookies } from "./support/no-cookies";
import { test as base } from "./support/worker";

const test = base.extend({
  baseURL: async ({ product }, provide) => {
    const proxy = await startProxyWithoutCookies(product.url);
    await provide(proxy.url);
    proxy.stop();
  },
});

test("every public form shows its result in a browser without cookies", async ({ page, product }) => {
  const email = "proxy@people.example";
  // With scripts, the forms are theirs once they run.
  const open = (path: string) => page.goto(path, { waitUntil: "networkidle" });
  await open("/contact");
  await sendContactForm(page, { name: "Behind a proxy", email });

  await open("/data-rights");
  await fillRequestForm(page, { email });
  await page.getByRole("button", { name: "Submit Request" }).click();
  await expect(page.getByText("Request Submitted")).toBeInViewport();

  const { confirm, status } = await readRequestLinks(product.dataDir, email);
  await open(confirm);
  await page.getByRole("button", { name: "Confirm my request" }).click();
  await expect(page.getByText("Request confirmed")).toBeInViewport();
  await open(status);
  await page.getByRole("button", { name: "Withdraw this request" }).click();
  await page.getByRole("button", { name: "Yes, withdraw it" }).click();
  await expect(page.getByText("Request withdrawn")).toBeInViewport();

  await open("/login/forgotten");
  await page.getByLabel("Email").fill("nobody@people.example");
  await page.getByRole("main").getByRole("button").first().click();
  await expect(page.getByText("Check your email")).toBeInViewport();

  await open("/login");
  await page.getByLabel("Email").fill(testAdmin.email);
  await page.getByLabel("Password").fill(testAdmin.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Your browser did not save the sign-in cookie.")).toBeInViewport();

  for (const choice of ["Accept All", "Reject All"]) {
    await open("/contact");
    await banner(page).getByRole("button", { name: choice }).click();
    await expect(page.getByText("Your browser does not accept cookies from this site")).toBeInViewport();
  }
});
