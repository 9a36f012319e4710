import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { MailServer } from "./support/mail-server.ts";
import { newRequest, type Site } from "./support/site.ts";
import { startSiteWithMail } from "./support/site-with-mail.ts";

let site: Site;
let mailServer: MailServer;

beforeAll(async () => {
  ({ site, mailServer } = await startSiteWithMail());
});
beforeEach(() => {
  // Evening of November 19 in New York, November 20 in UTC and Kiritimati.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T01:30:00Z") });
});
afterEach(async () => {
  vi.useRealTimers();
  await site.sql("delete from private.site_facts");
});
afterAll(() => site?.close());

const storeFacts = (facts: Record<string, string>) =>
  site.service.rpc("set_site_facts", { facts: { SITE_URL: "https://firm.example", ...facts } }).throwOnError();

it.each([
  ["America/New_York", "2026-12-19"],
  ["Pacific/Pago_Pago", "2026-12-19"],
  ["Pacific/Kiritimati", "2026-12-20"],
  ["UTC", "2026-12-20"],
  [undefined, "2026-12-20"],
])("sets the due date by the stored TIME_ZONE=%s", async (zone, due) => {
  if (zone) await storeFacts({ TIME_ZONE: zone });
  const request = newRequest();
  expect((await site.call("receive-data-rights-request", request)).status).toBe(200);
  const rows = await site.sql("select due_on::text as due from public.data_rights_requests where description = $1", [
    request.description,
  ]);
  expect(rows).toEqual([{ due }]);
});

it("shows the firm's time in mails to account owners", async () => {
  vi.useRealTimers();
  // A stored fact is the site's; a secret left from before is not.
  site.settings.TIME_ZONE = "Pacific/Kiritimati";
  await storeFacts({ TIME_ZONE: "America/New_York" });
  const { id, email } = await site.signIn();
  await site.sql("update auth.users set encrypted_password = 'another' where id = $1", [id]);
  await site.sql("update private.account_events set at = '2026-11-20T01:30:00Z' where user_id = $1", [id]);
  await site.deliver();
  const findMail = () => mailServer.received.find(({ recipients }) => recipients.includes(email))?.content.text ?? "";
  // On a busy machine, the mail may go out with the next run.
  await expect.poll(findMail).toContain("was changed on November 19, 2026 at 8:30 PM EST.");
});
