import { testAdmin } from "../support/product";
import { filledContactForm } from "../support/visitor";
import { fillContactForm, openContactPage } from "./support/contact-page";
import { holdRequests } from "./support/hold-requests";
import { expect, test } from "./support/product";

test("the send button shows progress and is disabled while the message is sent", async ({ page }) => {
  await openContactPage(page);
  await fillContactForm(page, { name: "Slow line" });
  await page.getByRole("checkbox").check();
  const release = await holdRequests(page, "**/contact.data");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("button", { name: "Sending..." })).toBeDisabled();
  await release();
  await expect(page.getByText("Message Sent!")).toBeVisible();
});

test("a failed send keeps the contact form's text and scrolls to the error", async ({ page }) => {
  await openContactPage(page);
  await fillContactForm(page);
  await page.getByRole("checkbox").check();
  await page.route("**/contact.data", (route) => route.abort());
  await page.getByRole("button", { name: "Send Message" }).click();
  const message = page.getByText("Failed to send message. Please try again or email us directly.");
  await expect(message).toBeInViewport();
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue(filledContactForm.message);
  await page.unroute("**/contact.data");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByText("Message Sent!")).toBeInViewport();
});

test("scripts take over a page with errors that was posted without scripts", async ({ page }) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  for (const name of ["Made first", 'Kept & "filled"']) {
    await openContactPage(page);
    await fillContactForm(page, { name, email: "no address" });
    const posted = page.waitForResponse((response) => response.request().method() === "POST");
    // As a person submits it before the scripts run.
    await page.locator("form#contact").evaluate((form: HTMLFormElement) => form.submit());
    const errorPage = await posted;
    expect([errorPage.status(), errorPage.headers()["content-type"]]).toEqual([400, "text/html; charset=utf-8"]);
    await expect(page.getByRole("heading", { name: "There is a problem" })).toBeVisible();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
  }
  await page.getByLabel("Email", { exact: true }).fill("quick@people.example");
  await page.getByRole("checkbox").check();
  // Only scripts send the message to this address.
  const sent = page.waitForRequest("**/contact.data");
  await page.getByRole("button", { name: "Send Message" }).click();
  await sent;
  await expect(page.getByText("Message Sent!")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("");
  expect(errors.filter((text) => !text.includes("400"))).toEqual([]);
});

test("sign-in loads the admin area as a document, which waits for its style sheet", async ({ page }) => {
  await page.goto("/login", { waitUntil: "networkidle" });
  await page.getByLabel("Email").fill(testAdmin.email);
  await page.getByLabel("Password").fill(testAdmin.password);
  const sent = page.waitForRequest("**/login.data");
  const opened = page.waitForRequest(/\/admin\?notice=/);
  await page.getByRole("button", { name: "Sign In" }).click();
  await sent;
  expect((await opened).isNavigationRequest()).toBe(true);
  await expect(page.getByText("Login successful")).toBeVisible();
});
