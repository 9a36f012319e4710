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
  // An evening in New York, the next day in UTC, and the afternoon of that in Kiritimati.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T01:30:00Z") });
});
afterEach(() => vi.useRealTimers());
afterAll(() => site?.close());

const readZone = async () => (await site.sql<{ zone: string }>("select private.time_zone() as zone"))[0]?.zone;

it.each([
  ["America/New_York", "2026-12-19"],
  ["Pacific/Pago_Pago", "2026-12-19"],
  ["Pacific/Kiritimati", "2026-12-20"],
  ["UTC", "2026-12-20"],
  // Nobody checks the secrets of a hosted project.
  ["CET", "2026-12-20"],
  [undefined, "2026-12-20"],
])("a request is due as its function's secret says where the firm is: %s", async (zone, due) => {
  site.settings.TIME_ZONE = zone;
  const request = newRequest();
  expect((await site.call("receive-data-rights-request", request)).status).toBe(200);
  const rows = await site.sql("select due_on::text as due from public.data_rights_requests where description = $1", [
    request.description,
  ]);
  expect(rows).toEqual([{ due }]);
});

it("each sign-in tells the database, too, for what admins do", async () => {
  vi.useRealTimers();
  const { token } = await site.signIn();
  for (const zone of ["Pacific/Kiritimati", "America/New_York"]) {
    site.settings.TIME_ZONE = zone;
    await site.call("bootstrap-admin", undefined, { headers: { Authorization: `Bearer ${token}` } });
    expect(await readZone()).toBe(zone);
  }
});

it("the owner of an account reads the firm's time", async () => {
  vi.useRealTimers();
  site.settings.TIME_ZONE = "America/New_York";
  const { id, email } = await site.signIn();
  await site.sql("update auth.users set encrypted_password = 'another' where id = $1", [id]);
  await site.sql("update private.account_events set at = '2026-11-20T01:30:00Z' where user_id = $1", [id]);
  await site.deliver();
  const mail = mailServer.received.find(({ recipients }) => recipients.includes(email));
  expect(mail?.content.text).toContain("was changed on November 19, 2026 at 8:30 PM EST.");
});
