import type { Page } from "playwright/test";
import { testAdmin } from "../support/test-admin";
import { filledContactForm } from "../support/visitor";
import { fillContactForm, fillRequestForm, openHydrated } from "./support/forms";
import { holdRequests } from "./support/late-scripts";
import { expect, test } from "./support/product";
import { startHere } from "./support/worker";

const problem = (page: Page) => page.getByRole("heading", { name: "There is a problem" });
/** Replaces the text of a field. A paste is one step, which the field's `maxlength` would cut off. */
const paste = async (page: Page, label: string, text: string) => {
  await page.getByLabel(label, { exact: true }).fill("");
  await page.keyboard.insertText(text);
};

for (const { path, fill, button, sending, sent, lost, field } of [
  {
    path: "/contact",
    fill: async (page: Page, name: string) => {
      await fillContactForm(page, { name });
      await page.getByRole("checkbox").check();
    },
    button: "Send Message",
    sending: "Sending...",
    sent: "Message Sent!",
    lost: "Failed to send message. Please try again or email us directly.",
    field: "Name",
  },
  {
    path: "/data-rights",
    fill: (page: Page, name: string) => fillRequestForm(page, { name, email: "slow@scripts.example" }),
    button: "Submit Request",
    sending: "Submitting...",
    sent: "Request Submitted",
    lost: "Failed to submit your request. Please try again or contact us directly.",
    field: "Full name",
  },
])
  test(`the form of ${path} keeps its text when the connection fails, and shows progress while it is sent`, async ({
    page,
  }) => {
    const name = page.getByLabel(field, { exact: true });
    const send = page.getByRole("button", { name: button });
    await openHydrated(page, path);
    await fill(page, "");
    await send.click();
    await expect(problem(page)).toBeVisible();

    // A lost connection leaves no errors of the earlier response on the page.
    await name.fill("Ada");
    await page.route(`**${path}.data`, (route) => route.abort());
    await send.click();
    await expect(page.getByText(lost)).toBeInViewport();
    await expect(problem(page)).toHaveCount(0);
    await expect(name).not.toHaveAttribute("aria-invalid");
    await expect(page).not.toHaveTitle(/Error/);
    await expect(name).toHaveValue("Ada");
    await page.unroute(`**${path}.data`);

    const release = await holdRequests(page, `**${path}.data`);
    await send.click();
    await expect(page.getByRole("button", { name: sending })).toBeDisabled();
    await release();
    await expect(page.getByText(sent)).toBeInViewport();
  });

test("a form sent under another host keeps its text and links to the address that accepts it", async ({ page }) => {
  const site = await startHere({ SITE_URL: "https://firm.example" });
  await openHydrated(page, `${site.url}/contact`);
  await fillContactForm(page);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("heading", { name: "That came from another site" })).toBeVisible();
  await expect(page.getByLabel("Message")).toHaveValue(filledContactForm.message);
  const link = page.getByRole("link", { name: "Open firm.example/contact" });
  await expect(link).toHaveAttribute("href", "https://firm.example/contact");
  await site.stop();
});

test("the characters left are shown near the limit, counted as the server counts them", async ({ page }) => {
  await openHydrated(page, "/contact");
  await paste(page, "Message", "🌻".repeat(4_400));
  await expect(page.getByText(/characters (left|too many)/)).toHaveCount(0);
  await paste(page, "Message", "🌻".repeat(4_600));
  await expect(page.getByText("400 characters left").first()).toBeVisible();
  // A screen reader announces this when the writer pauses.
  await expect(page.getByRole("status").filter({ hasText: "400 characters left" })).toBeAttached();
  await paste(page, "Message", `${"line\n".repeat(1_000)}a`);
  await expect(page.getByText("1 character too many").first()).toBeVisible();
  await paste(page, "Name", "e\u0301".repeat(99));
  await expect(page.getByText("1 character left").first()).toBeVisible();
  await page.getByLabel("Message", { exact: true }).fill("Hello");
  await expect(page.getByText("1 character too many")).toHaveCount(0);
});

test("sign-in clears a wrong password, and loads the admin area as a document, which waits for its style sheet", async ({
  page,
}) => {
  const submit = async (password: string) => {
    await page.getByLabel("Email").fill(testAdmin.email);
    await page.getByLabel("Password").fill(password);
    const sent = page.waitForRequest("**/login.data");
    await page.getByRole("button", { name: "Sign In" }).click();
    await sent;
  };
  await openHydrated(page, "/login");
  await submit("not the passphrase");
  await expect(page.getByText("Invalid login credentials")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(testAdmin.email);
  await expect(page.getByLabel("Password")).toHaveValue("");
  const opened = page.waitForRequest(/\/admin\?notice=/);
  await submit(testAdmin.password);
  expect((await opened).isNavigationRequest()).toBe(true);
  await expect(page.getByText("Login successful")).toBeVisible();
});
