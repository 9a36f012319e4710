import type { Page } from "@playwright/test";
import { filledContactForm } from "../../support/visitor";

const labels = {
  name: "Name",
  email: "Email",
  company: "Company",
  stage: "Business stage",
  goal: "Goal",
  message: "Message",
};

/** Fills every field of the contact form as a person does, by its label. */
export async function fillContactForm(page: Page, values: Partial<typeof filledContactForm> = {}) {
  for (const [field, label] of Object.entries(labels)) {
    const value = { ...filledContactForm, ...values }[field as keyof typeof labels];
    const control = page.getByLabel(label, { exact: true });
    await (field === "stage" ? control.selectOption(value) : control.fill(value));
  }
}
