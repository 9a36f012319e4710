import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { reportedEvents, reportedStates, troubles } from "#supabase/functions/_shared/trouble.ts";
import { type HookServer, startHookServer } from "../../support/hook-server.ts";
import { takeFirmMails as takeMails } from "../support/firm-mails.ts";
import type { MailServer } from "../support/mail-server.ts";
import { newMessage, type Site, siteKey } from "../support/site.ts";
import { startSiteWithMail } from "../support/site-with-mail.ts";

let site: Site;
let mailServer: MailServer;
let hook: HookServer;

beforeAll(async () => {
  ({ site, mailServer } = await startSiteWithMail());
  hook = await startHookServer();
});
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-23T09:30:00Z") });
  site.settings.TIME_ZONE = "America/New_York";
  site.settings.SITE_KEY = siteKey;
  await site.sql("delete from private.troubles");
  await site.sql("delete from private.email_outbox");
  await site.sql("delete from public.contact_submissions");
  mailServer.received.length = 0;
  site.settings.TROUBLE_URL = hook.url;
  hook.received.length = 0;
  site.events.length = 0;
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  await site?.close();
  hook?.close();
});

const minutes = (count: number) => vi.setSystemTime(Date.now() + count * 60_000);
const report = (...causes: string[]) => site.call("report-trouble", { causes });
const takeFirmMails = () => takeMails(site, mailServer);
/** Delivers, waits for the calls of TROUBLE_URL, and returns and clears them. */
async function takeCalls(): Promise<string[]> {
  await site.deliver();
  await site.finishBackgroundWork();
  const calls = hook.list();
  hook.received.length = 0;
  return calls;
}
const takeSubjects = async () => (await takeFirmMails()).map(({ subject }) => subject).toSorted();

describe("mails about trouble", () => {
  it("say what happened, since when and what to do, once a day and once at the end", async () => {
    expect((await report("disk-low")).status).toBe(200);
    const [mail, ...others] = await takeFirmMails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ subject: "firm.example: the disk is nearly full" });
    expect(mail!.text).toContain("Visitors may be unable to send messages, or");
    expect(mail!.text).toMatch(/^Since: Nov 23, 2026, 4:30\sAM EST$/m);
    expect(mail!.text).toContain("To do: On the server, free some space");
    expect(mail!.text).toContain("https://firm.example/admin");
    minutes(10);
    await report("disk-low");
    expect(await takeSubjects()).toEqual([]);
    minutes(24 * 60);
    await report("disk-low");
    expect(await takeSubjects()).toEqual(["firm.example: the disk is nearly full"]);
    minutes(31);
    await report();
    const [over] = await takeFirmMails();
    expect(over!.subject).toBe("firm.example: over: the disk is nearly full");
    expect(over!.text).toMatch(/From: Nov 23, 2026, 4:30\sAM EST\nUntil: Nov 24, 2026, 5:11\sAM EST/);
    expect(await takeSubjects()).toEqual([]);
  });

  it("exist for every cause that a site reports", async () => {
    site.settings.SITE_COMMAND = "site";
    const causes = [...reportedStates, ...reportedEvents];
    await report(...causes);
    const mails = await takeFirmMails();
    const texts = mails.map(({ text }) => text).join("\n");
    for (const words of ["site backup", "site doctor --from-outside", "journalctl -u site", "journalctl -k"])
      expect(texts).toContain(`“${words}”`);
    expect(texts).not.toMatch(/site operator|process\.crashed|node bin/);
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual(
      causes.map((cause) => `firm.example: ${troubles[cause].title}`).toSorted(),
    );
    expect(hook.received).toContain('{"site":"firm.example","trouble":"disk-low","state":"lasts"}');
    const begun = [
      ...reportedStates.map((cause) => `${cause} lasts`),
      ...reportedEvents.map((cause) => `${cause} happened`),
    ];
    expect(await takeCalls()).toEqual(begun.toSorted());
    minutes(31);
    await report();
    expect(await takeSubjects()).toEqual(
      reportedStates.map((cause) => `firm.example: over: ${troubles[cause].title}`).toSorted(),
    );
    expect(await takeCalls()).toEqual(reportedStates.map((cause) => `${cause} ended`).toSorted());
    expect(await takeCalls()).toEqual([]);
  });

  it("arrive while TROUBLE_URL fails or hangs, which is logged once and called again", async () => {
    hook.respond(500);
    await report("disk-low");
    expect(await takeSubjects()).toEqual(["firm.example: the disk is nearly full"]);
    hook.respond("hang");
    minutes(2);
    await report("disk-low", "thread-ended");
    await site.deliver();
    // The call is under way.
    await expect.poll(hook.list).toEqual(["disk-low lasts", "disk-low lasts", "thread-ended happened"]);
    expect(mailServer.received.map(({ content }) => content.subject)).toEqual([
      "firm.example: the database was restarted",
    ]);
    hook.respond(200);
    await takeCalls();
    minutes(2);
    expect(await takeCalls()).toEqual(["disk-low lasts", "thread-ended happened"]);
    expect(site.events.filter(({ event }) => event === "hook-failed")).toEqual([
      expect.objectContaining({ level: "warn", setting: "TROUBLE_URL", code: "http-500" }),
    ]);
  });

  it("report an outage of the mail server when it is over", async () => {
    mailServer.refuse("everybody", 451);
    await site.call("send-contact-email", newMessage());
    await site.finishBackgroundWork();
    for (let i = 0; i < 9; i += 1) {
      minutes(10);
      await site.skipPauses();
      expect(await takeSubjects()).toEqual([]);
    }
    expect(await takeCalls()).toEqual(["mail-waits lasts"]);
    mailServer.refuse("everybody", null);
    await site.skipPauses();
    const mails = await takeFirmMails();
    expect(mails.map(({ subject }) => subject).filter((subject) => subject.startsWith("firm.example"))).toEqual([
      "firm.example: over: emails waited for the mail server",
    ]);
    expect(await takeCalls()).toEqual(["mail-waits ended"]);
  });

  it("add a line to the digest, which is sent for them alone", async () => {
    await report("backup-failed", "thread-ended");
    await takeFirmMails();
    await site.sql("delete from private.digests");
    vi.setSystemTime(new Date("2026-11-23T12:30:00Z"));
    await report("backup-failed");
    const [digest, ...others] = await takeFirmMails();
    expect(others).toEqual([]);
    expect(digest!.subject).toBe("firm.example: something needs attention");
    expect(digest!.text).toContain("Trouble: the backup failed; the database was restarted");
    await site.sql("insert into private.digests (day) values ('infinity')");
  });
});

describe("report-trouble", () => {
  it("rejects unsigned reports, unknown causes and other texts", async () => {
    expect((await site.callUnsigned("report-trouble", { causes: [] })).status).toBe(403);
    expect((await report("mail-waits")).status).toBe(400);
    expect((await site.call("report-trouble", { causes: [], text: "Jane" })).status).toBe(400);
    for (const key of [`${siteKey}k`, undefined]) {
      site.settings.SITE_KEY = key;
      expect((await report("disk-low")).status).toBe(403);
    }
    expect(await site.sql("select 1 from private.troubles")).toEqual([]);
  });
});
