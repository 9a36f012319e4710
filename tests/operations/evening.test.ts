import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { choose } from "../routes/support/consent";
import { filledDataRightsForm, readMailsTo, readRequestLinks } from "../support/data-rights";
import { readEveryPage } from "../support/every-page";
import { publicPaths } from "../support/page-source";
import { type Product, makeDataDir, startProduct, testAdmin } from "../support/product";
import { Visitor, filledContactForm, readText } from "../support/visitor";

/** 8:30 PM on November 19 in New York; November 20 in UTC. */
const evening = "@2026-11-20 01:30:00";

/** Path of the library that `faketime` preloads into programs. */
const library =
  spawnSync("faketime", ["-f", "+0", "printenv", "LD_PRELOAD"], { encoding: "utf8" }).stdout?.trim() ?? "";

describe.skipIf(library === "")("on an evening in New York (skipped without libfaketime)", () => {
  let site: Product;
  /** words of every page, email and file that names days, by path */
  const read = new Map<string, string>();

  /** Keeps the words of a page or of the emails once they have these. */
  const readOnce = (words: RegExp, name: string, load: () => Promise<string>) =>
    vi.waitFor(async () => {
      const text = await load();
      expect(text).toMatch(words);
      read.set(name, text);
    }, 100_000);

  beforeAll(async () => {
    site = await startProduct(
      {
        TIME_ZONE: "America/New_York",
        LD_PRELOAD: library,
        FAKETIME: evening,
        // Timers use the monotonic clock.
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
        DONT_FAKE_MONOTONIC: "1",
        TZ: "UTC",
      },
      { dataDir: await makeDataDir(), timeouts: { countReport: 500 } },
    );
    const pages = await readEveryPage(site);
    for (const [path, html] of pages) if (!publicPaths.includes(path)) read.set(path, readText(html));
    const [, latest = ""] = /max="([^"]+)"/i.exec(pages.get("/admin/requests/new") ?? "") ?? [];
    read.set("/admin/requests/new with its latest day", latest);

    const [admin, visitor, silent] = [1, 2, 3].map(() => new Visitor(site.url)) as [Visitor, Visitor, Visitor];
    await admin.signIn();
    read.set("csv", (await admin.post("/admin/submissions.csv?filter=all", { separator: "comma" })).html);
    const { confirm } = await readRequestLinks(site.dataDir, filledDataRightsForm.email);
    await admin.post("/data-rights/confirm", { token: confirm.split("=")[1] ?? "" });
    const [request = ""] = /\/admin\/requests\/[0-9a-f-]{36}/.exec((await admin.get("/admin/requests")).html) ?? [];
    await admin.postAndFollow(request, { intent: "startWork" });
    read.set(request, readText((await admin.get(request)).html));
    read.set("package", readText((await admin.post(`${request}/package`, { format: "html" })).html));

    await choose(visitor, "reject");
    const signal = { "Sec-GPC": "1" };
    await silent.get("/about", signal);
    const record = "/about?cookie-preferences=open";
    read.set("decision", readText((await visitor.get(record)).html));
    read.set("signal", readText((await silent.get(record, signal)).html));

    // Only browsers are counted.
    const browser = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };
    await visitor.get("/investors", browser);
    await readOnce(/Thu, Nov 19 [1-9]/, "numbers", async () => readText((await admin.get("/admin/numbers")).html));

    const people = [testAdmin.email, filledDataRightsForm.email, filledContactForm.email, "investor@fund.example"];
    await readOnce(/New device[^]*you wrote|you wrote[^]*New device/, "mails", async () => {
      const mails = await Promise.all(people.map((email) => readMailsTo(site.dataDir, email)));
      return mails.flatMap((each) => each.map(({ subject, text }) => `${subject}\n${text}`)).join("\n");
    });
  });
  afterAll(() => site?.stop());

  it.each([
    ["the inbox", "/admin", /Nov 19, 8:3\d\sPM/],
    ["the requests", "/admin/requests", /due Dec 19, 2026/],
    ["the data package", "package", /due on December 19, 2026.*received at Nov 19, 2026, 8:3\d\sPM EST/],
    ["the CSV", "csv", /"2026-11-19","20:3\d:\d\d","/],
    ["the record of a decision", "decision", /Your choice of November 19, 2026.*Nov 19, 2026, 8:3\d\sPM EST/],
    ["the record of a signal", "signal", /November 19, 2026/],
    ["the form of a request by letter", "/admin/requests/new with its latest day", /^2026-11-19$/],
    ["the account", "/admin/account", /Nov 19, 2026, 8:3\d\sPM EST/],
    ["the mail about a device", "mails", /^Time: November 19, 2026 at 8:3\d PM EST/m],
    ["the reply", "mails", /On November 19, 2026, you wrote/],
    ["a deadline of thirty days", "mails", /December 19, 2026/],
  ])("shows that day in %s", (_, path, words) => {
    expect(read.get(path)).toMatch(words);
  });

  it("never shows another day", () => {
    const other = /Nov(?:ember)? 20\b|2026-11-20|Dec(?:ember)? 20\b|\bUTC\b/;
    // The promise to reply is due a day later, at the same hour.
    const due = /by Friday, November 20 at 8:3\d\sPM EST/g;
    const shown = [...read].filter(([, words]) => other.test(words.replaceAll(due, "")));
    expect(shown.map(([path]) => path)).toEqual([]);
  });
});
