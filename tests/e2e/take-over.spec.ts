import { type Page, expect } from "playwright/test";
import { testAdmin } from "../support/test-admin";
import { filledContactForm } from "../support/visitor";
import { answerBanner, banner } from "./support/consent-page";
import { fillContactForm } from "./support/forms";
import { holdScripts, pageChanges } from "./support/late-scripts";
import { test } from "./support/worker";

test.use({ baseURL: async ({ product }, provide) => provide(product.url) });

/** Returns the id of the focused control and the selection in it. */
const readCaret = (page: Page) =>
  page.evaluate(() => {
    const { id, selectionStart, selectionEnd } = document.activeElement as HTMLTextAreaElement;
    return [id, selectionStart, selectionEnd];
  });

const placeCaret = (page: Page, id: string, start: number, end: number) =>
  page.locator(`#${id}`).evaluate(
    (area, [from, to]) => {
      (area as HTMLTextAreaElement).focus();
      (area as HTMLTextAreaElement).setSelectionRange(from, to);
    },
    [start, end] as const,
  );

test("late scripts keep everything typed into the contact form, even on a changed page", async ({ page }) => {
  const send = page.getByRole("button", { name: "Send Message" });
  for (const [place, changePage] of Object.entries(pageChanges)) {
    const run = await holdScripts(page);
    await page.goto("/contact");
    if (await banner(page).isVisible()) await answerBanner(page, "Reject All");
    await fillContactForm(page);
    await page.getByRole("checkbox").check();
    await placeCaret(page, "contact-message", 3, 7);
    await page.evaluate(changePage);
    const scrolled = await page.evaluate(() => scrollY);
    await run();
    for (const [name, value] of Object.entries(filledContactForm)) {
      const control = page.locator(`form#contact [name="${name}"]`);
      if (name === "privacyConsent") await expect(control, place).toBeChecked();
      else await expect(control, `${name}, ${place}`).toHaveValue(value);
    }
    expect(await readCaret(page), place).toEqual(["contact-message", 3, 7]);
    expect(await page.evaluate(() => scrollY), place).toBe(scrolled);
    await expect(send, place).toBeEnabled();
    await expect(banner(page), place).toBeHidden();
  }
  // Only scripts send the message to this address, and they have every word.
  const sent = page.waitForRequest("**/contact.data");
  await send.click();
  await sent;
  await expect(page.getByText("Message Sent!")).toBeVisible();
});

test("late scripts keep corrections and the focus in a contact form with errors", async ({ page }) => {
  for (const changePage of [() => {}, pageChanges["first in the body"]]) {
    const run = await holdScripts(page);
    await page.goto("/contact");
    await fillContactForm(page, { email: "no address" });
    await page.locator("form#contact").evaluate((form: HTMLFormElement) => form.submit());
    await expect(page.getByRole("heading", { name: "There is a problem" })).toBeVisible();
    // The server has filled the text area, and React sets it to that text again.
    await page.getByLabel("Message", { exact: true }).fill("Better words");
    await placeCaret(page, "contact-message", 6, 6);
    await page.evaluate(changePage);
    await run();
    await expect(page.getByLabel("Message", { exact: true })).toHaveValue("Better words");
    expect(await readCaret(page)).toEqual(["contact-message", 6, 6]);
    await page.keyboard.type(" and more");
    await expect(page.getByLabel("Message", { exact: true })).toHaveValue("Better and more words");
  }
});

test("late scripts leave the focus where a visitor moves it while they start", async ({ page }) => {
  const run = await holdScripts(page);
  await page.goto("/contact");
  await page.getByLabel("Goal", { exact: true }).focus();
  // The page's state is read in the first render: a visitor moves on between that and the end of hydration.
  await page.evaluate(() => {
    const find = document.querySelectorAll.bind(document);
    document.querySelectorAll = (selector: string) => {
      if (selector === "details") document.getElementById("contact-message")?.focus();
      return find(selector);
    };
  });
  await run();
  expect((await readCaret(page))[0]).toBe("contact-message");
});

test("late scripts keep input on data rights, sign-in and inbox pages after all changes", async ({ page }) => {
  const fill = {
    "/data-rights": {
      "data-rights-name": "Ada Byron",
      "data-rights-email": "ada@people.example",
      "data-rights-requestType": "access",
      "data-rights-description": "All of it,\nplease.",
    },
    "/login": { "login-email": testAdmin.email, "login-password": testAdmin.password },
    "/admin": { search: "Grace" },
  };
  for (const [path, values] of Object.entries(fill)) {
    const run = await holdScripts(page);
    await page.goto(path);
    for (const [id, value] of Object.entries(values)) {
      const control = page.locator(`#${id}`);
      await (id.endsWith("Type") ? control.selectOption(value) : control.fill(value));
    }
    const row = page.locator("details.inbox-row").first();
    if (path === "/admin") await row.evaluate((details: HTMLDetailsElement) => (details.open = true));
    for (const changePage of Object.values(pageChanges)) await page.evaluate(changePage);
    await run();
    if (path === "/admin") await expect(row).toHaveAttribute("open");
    for (const [id, value] of Object.entries(values)) await expect(page.locator(`#${id}`)).toHaveValue(value);
    expect((await readCaret(page))[0]).toBe(Object.keys(values).at(-1));
    if (path === "/login") {
      await page.getByRole("button", { name: "Sign In" }).click();
      await page.waitForURL("**/admin?*");
    }
  }
});
