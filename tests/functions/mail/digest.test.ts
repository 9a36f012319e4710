import { beforeEach, describe, expect, it, vi } from "vitest";
import { insertMembers } from "../../support/network.ts";
import { newMessage, newRequest } from "../support/site.ts";
import { useWorld } from "../support/world.ts";

const monday = "2026-11-23T12:30:00Z";
const tuesday = "2026-11-24T13:00:00Z";

const world = useWorld();
beforeEach(async () => {
  // Before the working morning, so that requests received now get this day's deadline.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-23T09:30:00Z") });
  world.settings.TIME_ZONE = "America/New_York";
  await world.sql("delete from private.digests");
  await world.sql("update public.data_rights_requests set state = 'withdrawn', closed_at = now()");
});

/** Delivers at this time and takes the mails to the firm. */
function takeAt(time: string) {
  vi.setSystemTime(new Date(time));
  return world.takeFirmMails();
}

async function complain() {
  await world.call("receive-data-rights-request", newRequest({ requestType: "complaint" }));
  await world.takeFirmMails();
  await world.sql("update public.data_rights_requests set due_on = date '2026-12-02' where closed_at is null");
}

describe("the digest", () => {
  it("lists pending work once on a working morning, without personal data", async () => {
    await world.call("send-contact-email", newMessage());
    await world.call("send-contact-email", newMessage({ name: "Grace Hopper" }));
    await world.call("send-contact-email", newMessage({ honeypot: "x" }));
    await complain();
    // answer-notices.test.ts covers mails about single messages.
    await world.sql("update public.contact_submissions set answer_notice = 'late'");
    await world.sql(
      "update public.contact_submissions set answer_due_at = now() - interval '1 day' where name like 'G%'",
    );
    world.host.newestBackupAt = () => Promise.resolve(Date.parse(monday) - 26 * 60 * 60 * 1000);

    expect(await takeAt("2026-11-23T11:59:00Z")).toEqual([]);
    const [digest, ...others] = await takeAt(monday);
    expect(others).toEqual([]);
    expect(digest!.subject).toBe("firm.example: 2 messages to answer (1 late), 1 request open");
    expect(digest!.text).toMatch(/^1 complaint:\n- DR-[\w-]+: 9 days left$/m);
    expect(digest!.text).toContain("1 message held back as possible spam since the last digest");
    expect(digest!.text).toContain("Last backup: 26 hours ago");
    expect(digest!.text).not.toMatch(/Ada|Grace|@|token=/);

    expect(await takeAt("2026-11-23T20:00:00Z")).toEqual([]);
    const next = await takeAt(tuesday);
    expect(next.map(({ subject }) => subject)).toEqual(["firm.example: 2 messages to answer (2 late), 1 request open"]);
    expect(await world.sql("select 1 from private.email_outbox where kind = 'digest'")).toEqual([]);
  });

  it("counts the remaining days from the firm's calendar day", async () => {
    await complain();
    // Monday evening at the firm, already Tuesday in UTC.
    const [digest] = await takeAt("2026-11-24T01:30:00Z");
    expect(digest!.text).toMatch(/DR-[\w-]+: 9 days left$/m);
  });

  it("counts people who confirmed that they want to join the investor network, even without other work", async () => {
    await insertMembers(world.sql, [{ name: "Ada Lovelace" }, { name: "Grace Hopper" }]);
    const [digest] = await takeAt(monday);
    expect(digest!.subject).toBe("firm.example: 2 people to review");
    const line = "2 people wait for your review in the investor network: https://firm.example/admin/network";
    expect(digest!.text).toContain(line);
    expect(digest!.text).not.toMatch(/Ada|Grace|@/);
    await world.sql(
      "update public.network_members set state = 'admitted', decided_at = now() where state = 'confirmed'",
    );
    expect(await takeAt(tuesday)).toEqual([]);
  });

  it("names trouble, for which alone it is sent", async () => {
    await world.call("report-trouble", { causes: ["backup-failed", "thread-ended"] });
    await world.takeFirmMails();
    await world.sql("delete from private.digests");
    vi.setSystemTime(new Date(monday));
    await world.call("report-trouble", { causes: ["backup-failed"] });
    const [digest, ...others] = await world.takeFirmMails();
    expect([digest!.subject, others]).toEqual(["firm.example: something needs attention", []]);
    expect(digest!.text).toContain("Trouble: the backup failed; the database was restarted");
  });

  it("is not sent without pending work or on a weekend", async () => {
    expect(await takeAt(monday)).toEqual([]);
    await world.call("send-contact-email", newMessage());
    expect(await world.takeFirmMails()).toHaveLength(1);
    await world.sql("delete from private.digests");
    expect(await takeAt("2026-11-22T12:30:00Z")).toEqual([]);
  });
});
