import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { headerOf, type MailServer, startMailServer } from "../functions/support/mail-server";
import { type Product, startProduct } from "../support/product";
import { makeSiteFolder } from "../support/site-folder";
import { Visitor, filledContactForm } from "../support/visitor";

const messages = 12;
/** Each message sends one mail to the firm and one to its sender. */
const mails = 2 * messages;
/** Mails that a worker sends in parallel; only these can be under way at a kill. */
const parallel = 5;

describe("kill -9 while mail is sent", () => {
  let dataDir: string;
  let mailServer: MailServer;
  let product: Product;

  const start = () =>
    startProduct(
      { SMTP_URL: mailServer.url, SMTP_TLS: "off", MAIL_FROM: "site@firm.example", CONTACT_TO: "inbox@firm.example" },
      { dataDir },
    );
  // Without the mail that the website was restarted, which comes ten seconds after the start.
  const ids = () =>
    mailServer.received
      .filter(({ content }) => !content.subject?.endsWith("the website was restarted"))
      .map(({ content }) => headerOf(content, "message-id") ?? "");

  beforeAll(async () => {
    dataDir = await makeSiteFolder();
    mailServer = await startMailServer();
    // The mail waits until all messages are stored.
    mailServer.hang(true);
    product = await start();
  });
  afterAll(async () => {
    await product.stop();
    await mailServer.close();
  });

  it("sends each mail, and repeats only those under way, with the same Message-ID", async () => {
    const visitor = new Visitor(product.url);
    for (let number = 1; number <= messages; number++) {
      const form = { ...filledContactForm, email: `sender${number}@harbor.example` };
      expect((await visitor.post("/contact", form)).status).toBe(303);
    }
    mailServer.hang(false);
    await expect.poll(() => mailServer.received.length, { timeout: 120_000, interval: 1 }).toBeGreaterThan(1);
    await product.kill();
    product = await start();
    const distinct = () => new Set(ids()).size;
    await expect.poll(distinct, { timeout: 120_000, interval: 250 }).toBe(mails);
    expect(ids()).not.toContain("");
    expect(ids().length - mails).toBeLessThanOrEqual(parallel);
    for (let number = 1; number <= messages; number++)
      expect(mailServer.received.some(({ recipients }) => recipients.includes(`sender${number}@harbor.example`))).toBe(
        true,
      );
  });
});
