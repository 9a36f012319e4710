import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { type MailServer, startMailServer } from "../../functions/support/mail-server.ts";
import { findAuthProgram, noAuthProgram } from "../../support/stack/auth-service.ts";
import { type Stack, type StackOptions, startStack } from "../../support/stack/stack.ts";
import { type Answer, Visitor, leadsTo } from "../../support/visitor.ts";

/** Whether this machine has what these tests need. */
export const canRun = findAuthProgram() !== null;

/** Behind the name of a test file's block: where it cannot run, why. */
export const whySkipped = canRun ? "" : ` (skipped: ${noAuthProgram})`;

/**
 * Asks again for as long as the answer is 503: on a machine that is busy with other things the services may take longer
 * than the site waits for them, and that is not what is tested here.
 * @returns the first other answer, or the last of twenty
 */
export async function askPatiently(ask: () => Promise<Answer>): Promise<Answer> {
  for (let i = 1; i < 20; i++) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    await wait(500);
  }
  return ask();
}

/** A stack with a mail server of its own. */
export interface HostedSite extends Stack {
  mail: MailServer;
  visitor(): Visitor;
  /** @throws when the admin is not let in */
  signIn(): Promise<Visitor>;
  /** Waits for a mail as its recipient does; returns its text. */
  waitForMail(address: string, subject: RegExp): Promise<string>;
}

/** Starts one in a folder that is removed with it. */
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
      const { status, headers } = await askPatiently(() => admin.signIn(stack.admin));
      expect([status, leadsTo({ headers })]).toEqual([303, "/admin"]);
      return admin;
    },
    waitForMail: async (address, subject) => {
      const find = () =>
        mail.received.find(
          ({ recipients, content }) => recipients.includes(address) && subject.test(content.subject ?? ""),
        );
      await expect.poll(async () => (await stack.deliver(), find()), { timeout: 60_000, interval: 500 }).toBeTruthy();
      return find()?.content.text ?? "";
    },
    close: async () => {
      await stack.close();
      await remove();
    },
  };
}
