import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readText, type Visitor } from "../support/visitor.ts";
import { type CrowdReport, visitorsASecond, withCrowd } from "./support/crowd.ts";
import { type HostedSite, canRun, startHostedSite, whySkipped } from "./support/hosted-site.ts";
import { makeNewerBuild } from "./support/newer-build.ts";

const nothing = { lost: [], failedPages: 0, signedOut: 0, failedTwice: false };

/** The headline of /about, and what the newer build has in their place. */
const words = ["Advice from your side of the table", "Words of the newer build"] as const;

describe.skipIf(!canRun)(`with ${visitorsASecond} visitors a second on two processes${whySkipped}`, () => {
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

  /** Accepted messages that are not there exactly once, pages that failed, and more failures in a row than one. */
  async function findLosses(what: string, { pages, messages, admin: seen }: CrowdReport) {
    console.log(
      `${what}: ${pages.asked} pages, ${pages.failed} failed; ${messages.accepted.length} messages accepted, ` +
        `${messages.failed} attempts failed (${messages.mostInARow} in a row); ${seen.asked} looks at the inbox, ` +
        `${seen.failed} failed (${seen.mostInARow} in a row), ${seen.signedOut} signed out`,
    );
    const stored = await site.database.sql<{ message: string; times: number }>(
      `select message, count(*)::int as times from public.contact_submissions where message like 'Message %' group by 1`,
    );
    const times = new Map(stored.map((row) => [row.message, row.times]));
    return {
      lost: messages.accepted.filter((message) => times.get(message) !== 1),
      failedPages: pages.failed,
      signedOut: seen.signedOut,
      failedTwice: Math.max(messages.mostInARow, seen.mostInARow) > 1,
    };
  }

  it("loses nothing when one process is killed", async () => {
    const report = await withCrowd(site.url, admin, async () => {
      await site.sites[0]?.kill();
      await site.addSite();
    });
    expect(await findLosses("One process killed", report)).toEqual(nothing);
  });

  it("loses nothing when one process is replaced by a newer build", async () => {
    const report = await withCrowd(site.url, admin, async () => {
      await site.addSite(newer);
      await site.sites[1]?.stop();
    });
    expect(await findLosses("One process replaced", report)).toEqual(nothing);
    const pages = await Promise.all(Array.from({ length: 4 }, () => site.visitor().get("/about")));
    expect(pages.map(({ html }) => readText(html)).join()).toContain(words[1]);
  });

  it("loses nothing when the database is restarted", async () => {
    const report = await withCrowd(site.url, admin, () => site.postgres.restart());
    expect(await findLosses("The database restarted", report)).toEqual(nothing);
  });
});
