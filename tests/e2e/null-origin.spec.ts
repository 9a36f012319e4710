import { fillContactForm } from "./support/forms";
import { expect, test } from "./support/product";

test("a visitor whose browser sends no referrer can send the contact form", async ({ page }) => {
  await page.route("**/contact", async (route) => {
    const response = await route.fetch();
    return route.fulfill({ response, headers: { ...response.headers(), "referrer-policy": "no-referrer" } });
  });
  await page.goto("/contact");
  // For a routed request, Playwright hides the headers that Chromium adds last.
  await page.unroute("**/contact");
  await fillContactForm(page);
  await page.getByRole("checkbox").check();
  const posted = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Send Message" }).click();
  const response = await posted;
  const headers = await response.request().allHeaders();
  expect([headers.origin, headers["sec-fetch-site"], response.status()]).toEqual(["null", "same-origin", 303]);
  await expect(page.getByText("Message Sent!")).toBeVisible();
});
