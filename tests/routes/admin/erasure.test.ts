import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startMailServer } from "../../functions/support/mail-server";
import { readMailsTo, readRequestLinks } from "../../support/data-rights";
import { findMailFilesWith, findTablesWith, withDatabaseOf } from "../../support/find-text";
import { findTags } from "../../support/page-source";
import { confirmRequest, erasePerson, requestErasureAs, sendMessageAs } from "../support/erasure";
import { openSite } from "../support/world";

const email = "person@erasure.example";
const start = (...[settings, options]: Parameters<typeof openSite>) => openSite(settings, { own: true, ...options });

it("erases the address from every row, mail file and log line", async () => {
  const mailServer = await startMailServer();
  const product = await start({ SMTP_URL: mailServer.url, MAIL_FROM: "website@firm.example" });
  await sendMessageAs(product, email);
  await requestErasureAs(product, email);
  const toPerson = () => mailServer.received.filter(({ recipients }) => recipients.includes(email));
  await expect.poll(() => toPerson().length).toBe(2);
  const links = toPerson().map(({ content }) => /(\/data-rights\/confirm\?token=\S+)/.exec(content.text ?? "")?.[1]);
  await confirmRequest(product, links.find((link) => link !== undefined) ?? "");
  await erasePerson(product);
  await expect.poll(() => toPerson().at(-1)?.content.subject).toMatch(/your data is erased$/);
  await product.stop();

  expect(product.output()).not.toContain(email);
  expect(await findMailFilesWith(product.dataDir, "")).toEqual([]);
  expect(await withDatabaseOf(product.dataDir, (sql) => findTablesWith(sql, email))).toEqual([]);
  await mailServer.close();
});

it("deletes mail files with their messages, before the response, and the last one after its retention period", async () => {
  let product = await start();
  await requestErasureAs(product, email);
  await confirmRequest(product, (await readRequestLinks(product.dataDir, email)).confirm);
  await sendMessageAs(product, email);
  await expect.poll(() => findMailFilesWith(product.dataDir, email)).toHaveLength(3);
  const form = await erasePerson(product, { elsewhere: "advisers" });
  // Without analytics, no data can be left at Google.
  const places = findTags(form, "input").filter(({ attributes }) => attributes.name === "elsewhere");
  expect(places.map(({ attributes }) => attributes.value)).toEqual(["mailbox", "exports", "advisers"]);
  // The confirmation must be true: no file is left except for its own email.
  const told = expect.stringContaining("We have told those who received your data from us to delete it.");
  await expect
    .poll(() => readMailsTo(product.dataDir, email))
    .toEqual([{ subject: expect.stringMatching(/your data is erased$/), text: told }]);
  expect(await findMailFilesWith(product.dataDir, email)).toHaveLength(1);
  await product.stop();

  // Left by a crash: a settled email's file and a draft; and a file of the operator's own.
  for (const name of [`${randomUUID()}.eml`, `${randomUUID()}.eml.tmp`, "notes.eml"])
    await writeFile(join(product.dataDir, "mail", name), `To: ${email}\r\n`);
  await withDatabaseOf(product.dataDir, (sql) =>
    sql("update private.email_outbox set delivered_at = now() - interval '31 days' where recipient = $1 returning id", [
      email,
    ]),
  );
  product = await start({}, { dataDir: product.dataDir, timeouts: { firstRetention: 0 } });
  await expect.poll(() => findMailFilesWith(product.dataDir, email)).toEqual(["notes.eml"]);
});
