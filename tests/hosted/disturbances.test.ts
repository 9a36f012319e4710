import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readText, type Visitor } from "../support/visitor.ts";
import { visitorsASecond, withCrowd } from "./support/crowd.ts";
import { type HostedSite, canRun, startHostedSite, skipReason } from "./support/hosted-site.ts";
import { makeNewerBuild } from "./support/newer-build.ts";

/** The headline of /about, and its replacement in the newer build. */
const words = ["Advice from your side of the table", "Words of the newer build"] as const;

describe.skipIf(!canRun)(`with ${visitorsASecond} visitors a second on two processes${skipReason}`, () => {
  let site: HostedSite;
  let admin: Visitor;
  let newer: string;

  beforeAll(async () => {
    [site, newer] = await Promise.all([startHostedSite(), makeNewerBuild(...words)]);
    admin = await site.signIn();
  });
  afterAll(async () => {
    await site?.close();
    if (newer) await rm(newer, { recursive: true, force: true });
  });

  it.each<[string, () => Promise<unknown>]>([
    ["one process is killed", () => site.sites[0]!.kill().then(() => site.addSite())],
    ["one process is replaced by a newer build", () => site.addSite(newer).then(() => site.sites[1]!.stop())],
    ["the database is restarted", () => site.postgres.restart()],
  ])("loses no message and serves every page when %s", async (_disturbance, disturb) => {
    const { accepted, ...report } = await withCrowd(site.url, admin, disturb);
    expect(report).toEqual({ failedPages: 0, signedOut: 0, failedTwice: false });
    const stored = await site.database.sql<{ message: string }>(
      "select message from public.contact_submissions where message like 'Message %' group by 1 having count(*) = 1",
    );
    const once = new Set(stored.map(({ message }) => message));
    expect(accepted.filter((message) => !once.has(message))).toEqual([]);
  });

  it("serves the pages of the newer build", async () => {
    const pages = await Promise.all(Array.from({ length: 4 }, () => site.visitor().get("/about")));
    expect(pages.map(({ html }) => readText(html)).join()).toContain(words[1]);
  });
});
