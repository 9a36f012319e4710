import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readText, type Visitor } from "../support/visitor.ts";
import { type CrowdReport, visitorsASecond, withCrowd } from "./support/crowd.ts";
import { type HostedSite, canRun, startHostedSite, skipReason } from "./support/hosted-site.ts";
import { makeNewerBuild } from "./support/newer-build.ts";

const noLosses = { lost: [], failedPages: 0, signedOut: 0, failedTwice: false };

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

  /** Finds accepted messages that are not stored exactly once, failed pages, and more than one failure in a row. */
  async function findLosses(disturbance: string, { pages, messages, admin: inbox }: CrowdReport) {
    console.log(
      `${disturbance}: ${pages.requested} pages, ${pages.failed} failed; ${messages.accepted.length} messages accepted, ` +
        `${messages.failed} attempts failed (${messages.mostInARow} in a row); ${inbox.requested} visits to the inbox, ` +
        `${inbox.failed} failed (${inbox.mostInARow} in a row), ${inbox.signedOut} signed out`,
    );
    const stored = await site.database.sql<{ message: string; times: number }>(
      `select message, count(*)::int as times from public.contact_submissions where message like 'Message %' group by 1`,
    );
    const times = new Map(stored.map((row) => [row.message, row.times]));
    return {
      lost: messages.accepted.filter((message) => times.get(message) !== 1),
      failedPages: pages.failed,
      signedOut: inbox.signedOut,
      failedTwice: Math.max(messages.mostInARow, inbox.mostInARow) > 1,
    };
  }

  it("loses no message and serves every page when one process is killed", async () => {
    const report = await withCrowd(site.url, admin, async () => {
      await site.sites[0]?.kill();
      await site.addSite();
    });
    expect(await findLosses("One process killed", report)).toEqual(noLosses);
  });

  it("loses no message and serves every page when one process is replaced by a newer build", async () => {
    const report = await withCrowd(site.url, admin, async () => {
      await site.addSite(newer);
      await site.sites[1]?.stop();
    });
    expect(await findLosses("One process replaced", report)).toEqual(noLosses);
    const pages = await Promise.all(Array.from({ length: 4 }, () => site.visitor().get("/about")));
    expect(pages.map(({ html }) => readText(html)).join()).toContain(words[1]);
  });

  it("loses no message and serves every page when the database is restarted", async () => {
    const report = await withCrowd(site.url, admin, () => site.postgres.restart());
    expect(await findLosses("The database restarted", report)).toEqual(noLosses);
  });
});
