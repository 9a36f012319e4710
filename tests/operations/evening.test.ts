import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { choose } from "../routes/support/consent";
import { filledDataRightsForm, readMailsTo, readRequestLinks } from "../support/data-rights";
import { type Product, makeDataDir, startProduct, testAdmin } from "../support/product";
import { type Answer, Visitor, filledContactForm, readText } from "../support/visitor";

/** 8:30 PM on November 19 in New York; November 20 in UTC. */
const evening = "@2026-11-20 01:30:00";

/** Path of the library that `faketime` preloads into programs. */
const library =
  spawnSync("faketime", ["-f", "+0", "printenv", "LD_PRELOAD"], { encoding: "utf8" }).stdout?.trim() ?? "";

describe.skipIf(library === "")("on an evening in New York (skipped without libfaketime)", () => {
  let site: Product;
  let visitor: Visitor;
  let admin: Visitor;
  /** text of every page, email and file read so far */
  const read: string[] = [];

  const show = (page: Answer) => {
    expect(page.status).toBe(200);
    read.push(readText(page.html));
    return read.at(-1)!;
  };

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
    visitor = new Visitor(site.url);
    admin = new Visitor(site.url);
  });
  afterAll(() => site?.stop());

  /** Waits for an email whose subject begins with this text. */
  async function readMail(address: string, subject: string): Promise<string> {
    const find = async () =>
      (await readMailsTo(site.dataDir, address)).find((mail) => mail.subject.startsWith(subject))?.text;
    await expect.poll(find).toBeDefined();
    read.push((await find()) ?? "");
    return read.at(-1)!;
  }

  it("receives a message, a data rights request and a sign-in", async () => {
    expect((await visitor.post("/contact", filledContactForm)).status).toBe(303);
    expect((await visitor.post("/data-rights", filledDataRightsForm)).status).toBe(303);
    expect((await admin.signIn()).status).toBe(303);
  });

  it("shows the requester one day in the email and on both pages", async () => {
    const links = await readRequestLinks(site.dataDir, filledDataRightsForm.email);
    // Thirty days after November 19.
    expect(links.due).toBe("December 19, 2026");
    read.push(links.text);
    expect(show(await visitor.get(links.confirm))).toContain("December 19, 2026");
    await visitor.post("/data-rights/confirm", { token: links.confirm.split("=")[1] ?? "" });
    const status = show(await visitor.get(links.status));
    expect(status).toContain("Received on November 19, 2026");
    expect(status).toContain("December 19, 2026");
  });

  it("shows the firm the same day in the inbox, a reply, the requests and the data package", async () => {
    const inbox = await admin.get("/admin?filter=all");
    expect(show(inbox)).toMatch(/Nov 19, 8:3\d\sPM/);
    const [, id = ""] = /id="submission-([0-9a-f-]{36})"/.exec(inbox.html) ?? [];
    const page = await admin.get(`/admin/messages/${id}`);
    expect(page.html).toMatch(/<title>Message from Grace Hopper \|/);
    expect(show(page)).toMatch(/Received Nov 19, 2026, 8:3\d\sPM EST/);
    const [, reply = ""] = /name="reply" value="([^"]+)"/.exec(page.html) ?? [];
    await admin.postAndFollow(`/admin/messages/${id}`, { intent: "send", reply, text: "We can." });
    expect(await readMail(filledContactForm.email, "Re: ")).toContain("On November 19, 2026, you wrote");

    const list = await admin.get("/admin/requests");
    expect(show(list)).toContain("due Dec 19, 2026");
    const [, address = ""] = /href="(\/admin\/requests\/[0-9a-f-]{36})"/.exec(list.html) ?? [];
    expect(show(await admin.get(address))).toContain("30 days left");
    await admin.postAndFollow(address, { intent: "startWork" });
    show(await admin.get(address));
    const data = show(await admin.post(`${address}/package`, { format: "html" }));
    expect(data).toMatch(/due on December 19, 2026/);
    expect(data).toMatch(/received at Nov 19, 2026, 8:3\d\sPM EST/);
    expect(show(await admin.get("/admin/requests/new"))).toBeDefined();
    expect((await admin.get("/admin/requests/new")).html).toMatch(/max="2026-11-19"/i);
    expect(show(await admin.get("/admin/answer-times"))).toContain("Nov 2026");
    expect(show(await admin.get("/admin/account"))).toMatch(/Nov 19, 2026, 8:3\d\sPM EST/);
  });

  it.each(["comma", "semicolon"])("writes that day into the CSV with a %s", async (separator) => {
    const csv = show(await admin.post("/admin/submissions.csv?filter=all", { separator }));
    expect(csv).toMatch(/"2026-11-19"[,;]"20:3\d:\d\d"[,;]"Grace Hopper"/);
  });

  it("shows that day for decisions about cookies, by button and by signal", async () => {
    await choose(visitor, "reject");
    const record = show(await visitor.get("/about?cookie-preferences=open"));
    expect(record).toContain("Your choice of November 19, 2026");
    expect(record).toMatch(/Nov 19, 2026, 8:3\d\sPM EST/);
    const silent = new Visitor(site.url);
    const signal = { "Sec-GPC": "1" };
    await silent.get("/about", signal);
    expect(show(await silent.get("/about?cookie-preferences=open", signal))).toContain("November 19, 2026");
  });

  it("uses that day in emails to account owners and in the numbers", async () => {
    expect(await readMail(testAdmin.email, "New device")).toMatch(/^Time: November 19, 2026 at 8:3\d PM EST$/m);
    // Only browsers are counted.
    const browser = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };
    await visitor.get("/investors", browser);
    const findNumbers = async () => readText((await admin.get("/admin/numbers")).html);
    await expect.poll(findNumbers, { timeout: 100_000, interval: 100 }).toMatch(/Thu, Nov 19 [1-9]/);
    show(await admin.get("/admin/numbers"));
  });

  it("never shows another day", () => {
    expect(read.length).toBeGreaterThan(15);
    for (const text of read) expect(text).not.toMatch(/Nov(?:ember)? 20\b|2026-11-20|Dec(?:ember)? 20\b|\bUTC\b/);
  });
});
