import { expect, type Page } from "playwright/test";
import { filledContactForm } from "../../support/visitor";

const labels = {
  name: "Name",
  email: "Email",
  company: "Company",
  stage: "Business stage",
  goal: "Goal",
  message: "Message",
};

/** Opens the contact page and waits for hydration, because an earlier post is sent as without scripts. */
export async function openContactPage(page: Page, address = "/contact"): Promise<void> {
  await page.goto(address);
  const form = page.locator("form", { has: page.getByLabel(labels.message, { exact: true }) });
  // React stores its data in properties of this name once it has hydrated an element.
  await expect
    .poll(() => form.evaluate((element) => Object.keys(element).some((name) => name.startsWith("__reactProps"))))
    .toBe(true);
}

/** Fills every field of the contact form, finding it by its label. */
export async function fillContactForm(page: Page, values: Partial<typeof filledContactForm> = {}) {
  for (const [field, label] of Object.entries(labels)) {
    const value = { ...filledContactForm, ...values }[field as keyof typeof labels];
    const control = page.getByLabel(label, { exact: true });
    await (field === "stage" ? control.selectOption(value) : control.fill(value));
  }
}
