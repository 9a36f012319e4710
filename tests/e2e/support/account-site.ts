import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "playwright/test";
import type { Email } from "postal-mime";
import { startMailServer } from "../../functions/support/mail-server";
import { testAdmin } from "../../support/test-admin";
import { startHere, test as base } from "./worker";

/** A site with a mail server, for journeys that change accounts or read mail and so cannot share a site. */
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
      const server = await startMailServer();
      const settings = {
        SMTP_URL: server.url,
        MAIL_FROM: "Firm <site@firm.example>",
        CONTACT_TO: "inbox@firm.example",
      };
      const { deliver, ...site } = await (process.env.JOURNEYS_ON_STACK ? startOnStack : startEmbedded)(settings);
      const readMailsTo = async (address: string) => {
        await deliver?.();
        return server.received.filter(({ recipients }) => recipients.includes(address)).map(({ content }) => content);
      };
      await provide({ ...site, readMailsTo });
      await site.stop();
      await server.close();
    },
    { timeout: 240_000 },
  ],
  baseURL: async ({ site }, provide) => provide(site.url),
});

export { expect };

/**
 * Waits for a mail to an address.
 * @returns its text
 */
export async function waitForMail(site: AccountSite, address: string, subject: RegExp): Promise<string> {
  const find = async () =>
    (await site.readMailsTo(address)).find((received) => subject.test(received.subject ?? ""))?.text;
  await expect.poll(find, { timeout: 60_000 }).toBeDefined();
  return (await find()) ?? "";
}

/** A site before its mails can be read. */
interface Started extends Omit<AccountSite, "readMailsTo"> {
  /** sends due mails, where no part of the site does */
  deliver?(): Promise<unknown>;
}

async function startEmbedded(settings: Record<string, string>): Promise<Started> {
  const { url, stop } = await startHere(settings);
  return { url, admin: testAdmin, stop };
}

async function startOnStack(functions: Record<string, string>): Promise<Started> {
  const { startStack } = await import("../../support/stack/stack");
  const folder = await mkdtemp(join(tmpdir(), "hosted-"));
  const { url, admin, deliver, close } = await startStack({ folder, functions, site: { POST_RATE_LIMIT: "0" } });
  const stop = async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
  };
  return { url, admin, deliver, stop };
}
