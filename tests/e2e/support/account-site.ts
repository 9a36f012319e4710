import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { type Page, expect } from "playwright/test";
import type { Email } from "postal-mime";
import { startMailServer } from "../../functions/support/mail-server";
import { shortLived } from "../../support/short-lived";
import { startSite, testAdmin } from "../../support/site";
import { test as base } from "./worker";

/** A site with a mail server, for journeys that change accounts and so cannot share a site. */
export interface AccountSite {
  url: string;
  admin: { email: string; password: string };
  /** Returns the mails that an address has received so far. */
  readMailsTo(address: string): Promise<Email[]>;
  stop(): Promise<void>;
}

/**
 * Starts the site on the embedded backend. JOURNEYS_ON_STACK=1 (`npm run test:hosted`) starts it on the real services of
 * a Supabase project instead. The journeys are the same.
 */
export const test = base.extend<{ site: AccountSite }>({
  site: [
    async ({}, provide) => {
      const site = await (process.env.JOURNEYS_ON_STACK ? startOnStack() : startEmbedded());
      await provide(site);
      await site.stop();
    },
    { timeout: 240_000 },
  ],
  baseURL: async ({ site }, provide) => provide(site.url),
});

export { expect };

/** Signs in by the form and waits until the browser leaves it. */
export async function signIn(page: Page, { email, password }: AccountSite["admin"]): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL((url) => url.pathname !== "/login");
}

/**
 * Waits for a mail to an address.
 * @returns its text
 */
export async function waitForMail(site: AccountSite, address: string, subject: RegExp): Promise<string> {
  let text = "";
  await expect(async () => {
    const mail = (await site.readMailsTo(address)).find((received) => subject.test(received.subject ?? ""));
    expect(mail).toBeDefined();
    text = mail?.text ?? "";
  }).toPass({ timeout: 60_000 });
  return text;
}

/**
 * Starts a mail server.
 * @returns the settings for it, and its received mails
 */
async function startMailbox() {
  const server = await startMailServer();
  return {
    settings: { SMTP_URL: server.url, MAIL_FROM: "Firm <site@firm.example>", CONTACT_TO: "inbox@firm.example" },
    readMailsTo: (address: string) =>
      server.received.filter(({ recipients }) => recipients.includes(address)).map(({ content }) => content),
    close: server.close,
  };
}

async function startEmbedded(): Promise<AccountSite> {
  const mailbox = await startMailbox();
  // The build and its libraries expect production; the V8 flags are those of Vitest's processes.
  process.env.NODE_ENV = "production";
  for (const flag of shortLived) setFlagsFromString(flag);
  const product = await startSite(mailbox.settings);
  return {
    url: product.url,
    admin: testAdmin,
    readMailsTo: async (address) => mailbox.readMailsTo(address),
    stop: async () => {
      await product.stop();
      await mailbox.close();
    },
  };
}

async function startOnStack(): Promise<AccountSite> {
  const { startStack } = await import("../../support/stack/stack");
  const mailbox = await startMailbox();
  const folder = await mkdtemp(join(tmpdir(), "hosted-"));
  const stack = await startStack({ folder, functions: mailbox.settings, site: { POST_RATE_LIMIT: "0" } });
  return {
    url: stack.url,
    admin: stack.admin,
    readMailsTo: async (address) => {
      await stack.deliver();
      return mailbox.readMailsTo(address);
    },
    stop: async () => {
      await stack.close();
      await mailbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
