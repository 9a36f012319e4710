import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { type MailServer, startMailServer } from "../../functions/support/mail-server.ts";
import { findAuthProgram, noAuthProgram } from "../../support/stack/auth-program.ts";
import { type Stack, type StackOptions, startStack } from "../../support/stack/stack.ts";
import { type Answer, Visitor, leadsTo } from "../../support/visitor.ts";

/** True when this machine has the program that these tests need. */
export const canRun = findAuthProgram() !== null;

/** Appended to the title of a describe block: the reason why it is skipped. */
export const skipReason = canRun ? "" : ` (skipped: ${noAuthProgram})`;

/**
 * Retries while the response is 503: on a busy machine the services may take longer than the site's timeout, which is
 * not tested here.
 * @returns the first other response, or the last of twenty
 */
export async function retryWhileUnavailable(send: () => Promise<Answer>): Promise<Answer> {
  for (let i = 1; i < 20; i++) {
    const response = await send();
    if (response.status !== 503) return response;
    await wait(500);
  }
  return send();
}

/** A stack with its own mail server. */
export interface HostedSite extends Stack {
  mail: MailServer;
  visitor(): Visitor;
  /**
   * @throws when the sign-in fails
   */
  signIn(): Promise<Visitor>;
  /** Waits for a mail to this address and returns its text. */
  waitForMail(address: string): Promise<string>;
}

/** Starts one in a temporary folder, which is removed on close. */
export async function startHostedSite(options: Partial<StackOptions> = {}): Promise<HostedSite> {
  const folder = await mkdtemp(join(tmpdir(), "hosted-"));
  const mail = await startMailServer();
  const functions = {
    SMTP_URL: mail.url,
    MAIL_FROM: "Firm <site@firm.example>",
    CONTACT_TO: "inbox@firm.example",
    ACKNOWLEDGEMENTS_PER_HOUR: "0",
  };
  const remove = async () => {
    await mail.close();
    await rm(folder, { recursive: true, force: true });
  };
  const stack = await startStack({ folder, functions, site: { POST_RATE_LIMIT: "0" }, ...options }).catch(
    async (error: unknown) => {
      await remove();
      throw error;
    },
  );
  const visitor = () => new Visitor(stack.url);
  return {
    ...stack,
    mail,
    visitor,
    signIn: async () => {
      const admin = visitor();
      const { status, headers } = await retryWhileUnavailable(() => admin.signIn(stack.admin));
      expect([status, leadsTo({ headers })]).toEqual([303, "/admin"]);
      return admin;
    },
    waitForMail: async (address) => {
      const find = () => mail.received.find(({ recipients }) => recipients.includes(address));
      await expect.poll(async () => (await stack.deliver(), find()), { timeout: 60_000, interval: 500 }).toBeTruthy();
      return find()?.content.text ?? "";
    },
    close: async () => {
      await stack.close();
      await remove();
    },
  };
}
