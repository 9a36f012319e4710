import { once } from "node:events";
import { type RequestListener, createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import type { Page } from "playwright/test";
import { type Product, startProduct } from "../support/product";
import { filledContactForm } from "../support/visitor";
import { fillContactForm, openContactPage } from "./support/contact-page";
import { expect, test } from "./support/product";

/** Builds a form that posts a complete message to another address. */
function writeForm(action: string, target = "_self"): string {
  const fields = Object.entries(filledContactForm).map(
    ([name, value]) => `<textarea name="${name}">${value}</textarea>`,
  );
  return `<form method="post" action="${action}" target="${target}">${fields.join("")}<button>Send it</button></form>`;
}

/** Starts another site on its own port. */
async function startOtherSite(listener: RequestListener): Promise<{ port: number; close(): void }> {
  const server = createServer(listener).listen(0);
  await once(server, "listening");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, close };
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

test("a visitor whose browser sends no referrer can send the contact form", async ({
  page,
  product,
  javaScriptEnabled,
}) => {
  await page.route("**/contact", async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    const response = await route.fetch();
    return route.fulfill({ response, headers: { ...response.headers(), "referrer-policy": "no-referrer" } });
  });
  // With scripts, the form is theirs once they run.
  await page.goto("/contact", { waitUntil: "networkidle" });
  // For a routed request, Playwright hides the headers that Chromium adds last.
  await page.unroute("**/contact");
  await fillContactForm(page);
  await page.getByRole("checkbox").check();
  const sent = await readPost(page, product, () => page.getByRole("button", { name: "Send Message" }).click());
  // A request by script names its origin anyway; its response is no redirect.
  expect(sent).toEqual(javaScriptEnabled ? [product.url, "same-origin", 202] : ["null", "same-origin", 303]);
  await expect(page.getByText("Message Sent!")).toBeVisible();
});

test("posts by frames, data: URLs, sibling sites and redirects are rejected and show their text", async ({
  page,
  product,
}) => {
  const contact = `${product.url}/contact`;
  const other = await startOtherSite((request, response) => {
    if (request.url === "/bounce") response.writeHead(307, { Location: contact }).end();
    else {
      response.setHeader("Content-Type", "text/html");
      response.setHeader("Referrer-Policy", "no-referrer");
      const frame = writeForm(contact, "_top").replaceAll("&", "&amp;").replaceAll('"', "&quot;");
      const sandbox = `<iframe sandbox="allow-forms allow-top-navigation" srcdoc="${frame}"></iframe>`;
      response.end(request.url === "/frame" ? sandbox : writeForm(contact));
    }
  });
  const press = () => page.getByRole("button", { name: "Send it" }).click();
  const expectRefused = async () => {
    await expect(page.getByRole("heading", { name: "That came from another site" })).toBeVisible();
    await expect(page.getByLabel("Message")).toHaveValue(filledContactForm.message);
  };

  await page.goto(`http://127.0.0.1:${other.port}/frame`);
  const pressInFrame = () => page.frameLocator("iframe").getByRole("button", { name: "Send it" }).click();
  expect(await readPost(page, product, pressInFrame)).toEqual(["null", "cross-site", 403]);
  await expectRefused();

  await page.goto(`data:text/html,${encodeURIComponent(writeForm(contact))}`);
  expect(await readPost(page, product, press)).toEqual(["null", "cross-site", 403]);
  await expectRefused();

  // Another port of this host is the same site, but not our origin.
  await page.goto(`http://localhost:${other.port}/`);
  expect(await readPost(page, product, press)).toEqual(["null", "same-site", 403]);
  await expectRefused();

  // Rejected even from our own origin, because a redirect leads through another site. (Our CSP prevents this redirect.)
  const bounce = `http://127.0.0.1:${other.port}/bounce`;
  await page.route("**/attack", (route) => route.fulfill({ contentType: "text/html", body: writeForm(bounce) }));
  await page.goto("/attack");
  expect(await readPost(page, product, press)).toEqual(["null", "cross-site", 403]);
  await expectRefused();
  other.close();
});

test("a form sent under another host keeps its text and links to the address that accepts it", async ({
  page,
  javaScriptEnabled,
}) => {
  let site: Product | undefined;
  const front = createTcpServer((client) => {
    const server = connect(Number(new URL(site?.url ?? "").port));
    for (const socket of [client, server]) socket.on("error", () => void (client.destroy(), server.destroy()));
    client.pipe(server).pipe(client);
  }).listen(0);
  await once(front, "listening");
  const { port } = front.address() as AddressInfo;
  site = await startProduct({ SITE_URL: `http://localhost:${port}` });
  await expect.poll(() => site?.output()).toContain("pages.warm");
  const address = `http://127.0.0.1:${port}/contact`;
  await (javaScriptEnabled ? openContactPage(page, address) : page.goto(address));
  await fillContactForm(page);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("heading", { name: "That came from another site" })).toBeVisible();
  await expect(page.getByLabel("Message")).toHaveValue(filledContactForm.message);
  await expect(page.getByLabel("Company")).toHaveValue(filledContactForm.company);
  await page.getByRole("link", { name: `Open localhost:${port}/contact` }).click();
  await expect(page).toHaveURL(`http://localhost:${port}/contact`);
  await fillContactForm(page);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByText("Message Sent!")).toBeVisible();
  await site.stop();
  front.close();
});
