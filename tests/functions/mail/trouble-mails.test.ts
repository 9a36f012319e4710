import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { reportedEvents, reportedStates, troubles } from "#supabase/functions/_shared/trouble.ts";
import { type HookServer, startHookServer } from "../../support/hook-server.ts";
import { useWorld } from "../support/world.ts";

const world = useWorld();
let hook: HookServer;

beforeAll(async () => {
  hook = await startHookServer();
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-23T09:30:00Z") });
  Object.assign(world.settings, { TIME_ZONE: "America/New_York", TROUBLE_URL: hook.url });
  hook.received.length = 0;
});
afterAll(() => hook?.close());

const passMinutes = (count: number) => vi.setSystemTime(Date.now() + count * 60_000);
const report = async (...causes: string[]) => expect((await world.call("report-trouble", { causes })).status).toBe(200);
const takeSubjects = async () => (await world.takeFirmMails()).map(({ subject }) => subject).toSorted();

describe("mails about trouble", () => {
  it("say what happened, since when and what to do, and when it is over", async () => {
    await report("disk-low");
    const [mail, ...others] = await world.takeFirmMails();
    expect([mail!.subject, others]).toEqual(["firm.example: the disk is nearly full", []]);
    expect(mail!.text).toContain("Visitors may be unable to send messages, or");
    expect(mail!.text).toMatch(/^Since: Nov 23, 2026, 4:30\sAM EST$/m);
    expect(mail!.text).toContain("To do: On the server, free some space");
    expect(mail!.text).toContain("https://firm.example/admin");
    passMinutes(31);
    await report();
    const [over, ...more] = await world.takeFirmMails();
    expect([over!.subject, more]).toEqual(["firm.example: over: the disk is nearly full", []]);
    expect(over!.text).toMatch(/From: Nov 23, 2026, 4:30\sAM EST\nUntil: Nov 23, 2026, 5:01\sAM EST/);
  });

  it("exist for every cause that a site reports, with a call of TROUBLE_URL", async () => {
    world.settings.SITE_COMMAND = "site";
    const causes = [...reportedStates, ...reportedEvents];
    await report(...causes);
    const mails = await world.takeFirmMails();
    const texts = mails.map(({ text }) => text).join("\n");
    for (const words of ["site backup", "site doctor --from-outside", "journalctl -u site", "journalctl -k"])
      expect(texts).toContain(`“${words}”`);
    expect(texts).not.toMatch(/site operator|process\.crashed|node bin/);
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual(
      causes.map((cause) => `firm.example: ${troubles[cause].title}`).toSorted(),
    );
    expect(hook.received).toContain('{"site":"firm.example","trouble":"disk-low","state":"lasts"}');
    hook.received.length = 0;
    passMinutes(31);
    await report();
    expect(await takeSubjects()).toEqual(
      reportedStates.map((cause) => `firm.example: over: ${troubles[cause].title}`).toSorted(),
    );
    expect(hook.list()).toEqual(reportedStates.map((cause) => `${cause} ended`).toSorted());
  });

  it("arrive while TROUBLE_URL fails or hangs, which is logged once and called again", async () => {
    hook.respond(500);
    await report("disk-low");
    expect(await takeSubjects()).toEqual(["firm.example: the disk is nearly full"]);
    hook.respond("hang");
    passMinutes(2);
    await report("disk-low", "thread-ended");
    await world.deliver();
    // The call is under way.
    await expect.poll(hook.list).toEqual(["disk-low lasts", "disk-low lasts", "thread-ended happened"]);
    expect(world.mailServer.received.map(({ content }) => content.subject)).toEqual([
      "firm.example: the database was restarted",
    ]);
    hook.respond(200);
    expect(world.events.filter(({ event }) => event === "hook-failed")).toEqual([
      expect.objectContaining({ level: "warn", setting: "TROUBLE_URL", code: "http-500" }),
    ]);
  });
});
