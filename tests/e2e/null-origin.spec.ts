import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright/test";
import { filledContactForm } from "../support/visitor";
import { fillContactForm } from "./support/forms";
import { expect, test } from "./support/product";

/** Builds a form that posts a complete message to another address. */
function writeForm(action: string): string {
  const fields = Object.entries(filledContactForm).map(
    ([name, value]) => `<textarea name="${name}">${value}</textarea>`,
  );
  return `<form method="post" action="${action}">${fields.join("")}<button>Send it</button></form>`;
}

/** Returns the origin headers of a post to the contact form, and the status of its response. */
async function readPost(page: Page, product: { url: string }, send: () => Promise<void>) {
  const posted = page.waitForResponse(
    (response) => response.url().startsWith(`${product.url}/contact`) && response.request().method() === "POST",
  );
  await send();
  const response = await posted;
  const headers = await response.request().allHeaders();
  return [headers.origin, headers["sec-fetch-site"], response.status()];
}

test("a visitor whose browser sends no referrer can send the contact form", async ({ page, product }) => {
  await page.route("**/contact", async (route) => {
    const response = await route.fetch();
    return route.fulfill({ response, headers: { ...response.headers(), "referrer-policy": "no-referrer" } });
  });
  await page.goto("/contact");
  // For a routed request, Playwright hides the headers that Chromium adds last.
  await page.unroute("**/contact");
  await fillContactForm(page);
  await page.getByRole("checkbox").check();
  const sent = await readPost(page, product, () => page.getByRole("button", { name: "Send Message" }).click());
  expect(sent).toEqual(["null", "same-origin", 303]);
  await expect(page.getByText("Message Sent!")).toBeVisible();
});

test("posts by sibling sites, data: URLs and redirects are rejected and show their text", async ({ page, product }) => {
  const contact = `${product.url}/contact`;
  const other = createServer((request, response) => {
    if (request.url === "/bounce") response.writeHead(307, { Location: contact }).end();
    else
      response
        .writeHead(200, { "Content-Type": "text/html", "Referrer-Policy": "no-referrer" })
        .end(writeForm(contact));
  }).listen(0);
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const expectRejected = async (address: string, fetchSite: string) => {
    await page.goto(address);
    const press = () => page.getByRole("button", { name: "Send it" }).click();
    expect(await readPost(page, product, press), address).toEqual(["null", fetchSite, 403]);
    await expect(page.getByRole("heading", { name: "That came from another site" })).toBeVisible();
    await expect(page.getByLabel("Message")).toHaveValue(filledContactForm.message);
  };
  // Another port of this host is the same site, but not our origin.
  await expectRejected(`http://localhost:${port}/`, "same-site");
  await expectRejected(`data:text/html,${encodeURIComponent(writeForm(contact))}`, "cross-site");
  // Rejected even from our own origin, because a redirect leads through another site. (Our CSP prevents this redirect.)
  const body = writeForm(`http://127.0.0.1:${port}/bounce`);
  await page.route("**/attack", (route) => route.fulfill({ contentType: "text/html", body }));
  await expectRejected("/attack", "cross-site");
  other.close();
  other.closeAllConnections();
});
