import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { takeFirmMails as takeMails } from "../support/firm-mails.ts";
import type { MailServer } from "../support/mail-server.ts";
import { insertMembers } from "../../support/network.ts";
import { newMessage, newRequest, type Site } from "../support/site.ts";
import { startSiteWithMail } from "../support/site-with-mail.ts";

const monday = "2026-11-23T12:30:00Z";

let site: Site;
let mailServer: MailServer;

beforeAll(async () => {
  ({ site, mailServer } = await startSiteWithMail());
});
beforeEach(async () => {
  // Before the working morning, so that requests received now get this day's deadline.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-23T09:30:00Z") });
  site.settings.TIME_ZONE = "America/New_York";
  await site.sql("delete from public.contact_submissions");
  await site.sql("delete from private.digests");
  mailServer.received.length = 0;
});
afterEach(() => vi.useRealTimers());
afterAll(() => site?.close());

const takeFirmMails = () => takeMails(site, mailServer);

describe("the digest", () => {
  it("lists pending work once on a working morning, without personal data", async () => {
    await site.call("send-contact-email", newMessage());
    await site.call("send-contact-email", newMessage({ name: "Grace Hopper" }));
    await site.call("send-contact-email", newMessage({ honeypot: "x" }));
    await site.call("receive-data-rights-request", newRequest({ requestType: "complaint" }));
    await takeFirmMails();
    // answer-notices.test.ts covers mails about single messages.
    await site.sql("update public.contact_submissions set answer_notice = 'late'");
    await site.sql(
      "update public.contact_submissions set answer_due_at = now() - interval '1 day' where name like 'Grace%'",
    );
    await site.sql("update public.data_rights_requests set due_on = date '2026-12-02'");
    site.host.newestBackupAt = () => Promise.resolve(Date.parse(monday) - 26 * 60 * 60 * 1000);

    vi.setSystemTime(new Date("2026-11-23T11:59:00Z"));
    expect(await takeFirmMails()).toEqual([]);
    vi.setSystemTime(new Date(monday));
    const [digest, ...others] = await takeFirmMails();
    expect(others).toEqual([]);
    expect(digest!.subject).toBe("firm.example: 2 messages to answer (1 late), 1 request open");
    expect(digest!.text).toMatch(/^1 complaint:\n- DR-[\w-]+: 9 days left$/m);
    expect(digest!.text).toContain("1 message held back as possible spam since the last digest");
    expect(digest!.text).toContain("Last backup: 26 hours ago");
    expect(digest!.text).not.toMatch(/Ada|Grace|@|token=/);

    vi.setSystemTime(new Date("2026-11-23T20:00:00Z"));
    expect(await takeFirmMails()).toEqual([]);
    vi.setSystemTime(new Date("2026-11-24T13:00:00Z"));
    expect((await takeFirmMails()).map(({ subject }) => subject)).toEqual([
      "firm.example: 2 messages to answer (2 late), 1 request open",
    ]);
    expect(await site.sql("select 1 from private.email_outbox where kind = 'digest'")).toEqual([]);
  });

  it("counts the remaining days from the firm's calendar day", async () => {
    await site.call("receive-data-rights-request", newRequest({ requestType: "complaint" }));
    await takeFirmMails();
    await site.sql("update public.data_rights_requests set due_on = date '2026-12-02'");
    // Monday evening at the firm, already Tuesday in UTC.
    vi.setSystemTime(new Date("2026-11-24T01:30:00Z"));
    const [digest] = await takeFirmMails();
    expect(digest!.text).toMatch(/DR-[\w-]+: 9 days left$/m);
  });

  it("counts people who confirmed that they want to join the investor network, even without other work", async () => {
    await site.sql("update public.data_rights_requests set state = 'withdrawn', closed_at = now()");
    await insertMembers(site.sql, [
      { name: "Ada Lovelace" },
      { name: "Grace Hopper" },
      { name: "Hedy Lamarr", state: "admitted" },
      { name: "Ann Asking", state: "asked" },
    ]);
    vi.setSystemTime(new Date(monday));
    const [digest] = await takeFirmMails();
    expect(digest!.subject).toBe("firm.example: 2 people to review");
    const line = "2 people wait for your review in the investor network: https://firm.example/admin/network";
    expect(digest!.text).toContain(line);
    expect(digest!.text).not.toMatch(/Ada|Grace|Hedy|@/);
    await site.sql(
      "update public.network_members set state = 'admitted', decided_at = now() where state = 'confirmed'",
    );
    vi.setSystemTime(new Date("2026-11-24T13:00:00Z"));
    expect(await takeFirmMails()).toEqual([]);
  });

  it("is not sent without pending work or on a weekend", async () => {
    await site.sql("update public.data_rights_requests set state = 'withdrawn', closed_at = now()");
    vi.setSystemTime(new Date(monday));
    expect(await takeFirmMails()).toEqual([]);
    await site.call("send-contact-email", newMessage());
    expect(await takeFirmMails()).toHaveLength(1);
    await site.sql("delete from private.digests");
    vi.setSystemTime(new Date("2026-11-22T12:30:00Z"));
    expect(await takeFirmMails()).toEqual([]);
  });
});
