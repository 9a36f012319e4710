import { type Page, expect } from "playwright/test";
import { filledDataRightsForm } from "../../support/data-rights";
import { testAdmin } from "../../support/test-admin";
import { filledContactForm } from "../../support/visitor";
import { waitForScripts } from "./late-scripts";

const contactLabels = {
  name: "Name",
  email: "Email",
  company: "Company",
  stage: "Business stage",
  goal: "Goal",
  message: "Message",
};

/** Opens a page and waits for hydration, because an earlier post is sent as without scripts. */
export async function openHydrated(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await waitForScripts(page);
}

/** Fills every field of the contact form, finding it by its label. */
export async function fillContactForm(page: Page, values: Partial<typeof filledContactForm> = {}): Promise<void> {
  for (const [field, label] of Object.entries(contactLabels)) {
    const value = { ...filledContactForm, ...values }[field as keyof typeof contactLabels];
    const control = page.getByLabel(label, { exact: true });
    await (field === "stage" ? control.selectOption(value) : control.fill(value));
  }
}

/** Fills the contact form, agrees to the privacy policy and sends it. */
export async function sendContactForm(page: Page, values: Partial<typeof filledContactForm> = {}): Promise<void> {
  await fillContactForm(page, values);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByText("Message Sent!")).toBeInViewport();
}

/** Fills every field of the data rights form. */
export async function fillRequestForm(page: Page, values: Partial<typeof filledDataRightsForm> = {}): Promise<void> {
  const { name, email, requestType, description } = { ...filledDataRightsForm, ...values };
  await page.getByLabel("Full name").fill(name);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Request type").selectOption(requestType);
  await page.getByLabel("Additional details").fill(description);
}

/** Signs in by the form and waits until the browser leaves it. */
export async function signIn(page: Page, { email, password } = testAdmin): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL((url) => url.pathname !== "/login");
}
