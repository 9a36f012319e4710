import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { type MailServer, startMailServer } from "../functions/support/mail-server";
import { formOf, textareaOf } from "../routes/admin/support/pages";
import { openWorld } from "../routes/admin/support/world";
import { findFreePort } from "../support/free-port";
import { type Product, startProduct } from "../support/product";
import { makeSiteFolder } from "../support/site-folder";
import { noticeOf } from "../support/visitor";

const pauseMs = 9_000;
let mailServer: MailServer;
let start: () => Promise<Product>;
let product: Product;

const world = openWorld(async () => {
  const dataDir = await makeSiteFolder();
  mailServer = await startMailServer();
  const PORT = String(await findFreePort());
  const settings = { SMTP_URL: mailServer.url, MAIL_FROM: "site@firm.example", PORT };
  start = () => startProduct(settings, { dataDir, timeouts: { replyPause: pauseMs } });
  return (product = await start());
});
afterAll(() => mailServer.close());

/** Counts the replies that reached this person. One under way at the kill may arrive again, under the same id. */
function replied({ email }: { email: string }): number {
  const received = mailServer.received.filter(({ content }) => content.text?.includes(`For ${email}`));
  return new Set(received.map(({ content }) => content.messageId)).size;
}

it("a reply is either taken back or sent, never both, though the process is killed between", async () => {
  const rest: { address: string; email: string; reply: string; leavesAt: number }[] = [];
  const takeBack = async ({ address, email, reply }: (typeof rest)[number]) => {
    const answer = await world.admin.post(address, { intent: "takeBack", reply });
    return { email, address, notice: noticeOf(answer) };
  };
  const early = [];
  for (let number = 0; number < 12; number += 1) {
    const { address, email } = await world.receive();
    const form = formOf(await world.open(address), "send");
    expect((await world.admin.post(address, { ...form, text: `For ${email}` })).status).toBe(303);
    const sent = { address, email, reply: form["reply"] ?? "", leavesAt: Date.now() + pauseMs };
    // At once: twelve sends can take longer than the pause.
    if (early.length < 4) early.push(await takeBack(sent));
    else rest.push(sent);
  }
  await product.kill();
  world.site = product = await start();
  // Some before they leave, some just as they do, some after.
  const late = await Promise.all(
    rest.map(async (each, at) => {
      await wait(Math.max(0, each.leavesAt - 1_500 + at * 400 - Date.now()));
      return takeBack(each);
    }),
  );
  const outcomes = [...early, ...late];
  const left = outcomes.filter(({ notice }) => notice === "replyLeft");
  await expect.poll(() => left.map(replied), { timeout: 60_000 }).toEqual(left.map(() => 1));
  await wait(3_000);
  expect(early.map(({ notice }) => notice)).toEqual(early.map(() => "replyTakenBack"));
  expect(outcomes.filter((each) => (each.notice === "replyTakenBack") !== (replied(each) === 0))).toEqual([]);
  for (const { address, email } of outcomes.filter(({ notice }) => notice === "replyTakenBack"))
    expect(textareaOf(await world.open(address))).toContain(`For ${email}`);
});
