import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { findTag } from "../../support/page-source";
import { startSite } from "../../support/site";
import { leadsTo, readText } from "../../support/visitor";
import { expectDone, expectPage, findMessageId, namesIn } from "./support/pages";
import { openWorld } from "./support/world";

// A time zone without daylight saving time whose date differs from UTC's for most of the day.
const timeZone = "Pacific/Kiritimati";
const world = openWorld(() => startSite({ TIME_ZONE: timeZone }));
/** ids of the messages that wait, the newest first: Sender 0, Sender 1, … */
const ids: string[] = [];
/** Fields of Sender 0. */
const odd = { email: "a+b'c@harbor.example", company: "=1+1" };

beforeAll(async () => {
  for (let number = 29; number >= 0; number--)
    await world.write({ name: `Sender ${number}`, email: `w${number}@a.example`, ...(number === 0 ? odd : {}) });
  await world.write({ name: "Trapped", email: "trapped@a.example", topic: "x" });
  const html = await world.open("/admin");
  ids.push(...idsOf(html), ...idsOf(await world.open(nextOf(html))));
});

const idsOf = (html: string) => [...html.matchAll(/<section id="m-([0-9a-f-]{36})"/g)].map(([, id]) => id ?? "");
const nextOf = (html: string) => findTag(html, "a", { rel: "next" })?.attributes.href ?? "";
const namesAt = async (path: string) => namesIn(await world.open(path));
const search = (words: string) => world.admin.post("/admin?filter=all", { intent: "search", search: words });

describe("the list", () => {
  it("starts with the newest, and shows times in the firm's time zone and the time left", async () => {
    const html = await world.open("/admin");
    const [, at = "", shown = ""] = /<time dateTime="([^"]+)"[^>]*>([^<]+)<\/time>/.exec(html) ?? [];
    const day = new Intl.DateTimeFormat("en-US", { timeZone, month: "short", day: "numeric" }).format(new Date(at));
    expect(shown).toMatch(new RegExp(`^${day}, \\d+:\\d\\d\\s[AP]M$`));
    const text = readText(html);
    expect(text).toMatch(
      /Business stage Growth stage Goal Automate intake Received [A-Z].{15,25} GMT\+14 .*IP 127\.0\.0\.1/,
    );
    expect(text).not.toContain(" UTC");
    expect(html).toContain('href="mailto:a%2Bb&#x27;c@harbor.example"');
    expect(text).toMatch(/Sender 1 .{0,80}2[34] hours left/);
    // Nobody else sees a site on the loopback interface, so it needs no facts.
    expect(text).not.toContain("The public site shows placeholders");
  });

  it("shows 25 a page, leads forward and back, and to the beginning for an unknown filter or page", async () => {
    const first = await world.open("/admin");
    const next = nextOf(first);
    expect(next).toMatch(/^\/admin\?filter=waiting&page=next\.[\w.-]+$/);
    const second = await world.open(next);
    expect([namesIn(first).length, namesIn(second).length]).toEqual([25, 5]);
    expect(await namesAt(findTag(second, "a", { rel: "prev" })?.attributes.href ?? "")).toEqual(namesIn(first));
    expect(await namesAt("/admin?filter=nonsense&page=nonsense")).toEqual(namesIn(first));
  });

  it("searches all texts and keeps the search words out of every URL", async () => {
    const address = leadsTo(await search("W13@A.example")) ?? "";
    expect(address).toMatch(/^\/admin\?search=[\w-]{12}$/);
    const html = await world.open(address);
    expect(namesIn(html)).toEqual(["Sender 13"]);
    expect(readText(html)).toContain("Showing results for “W13@A.example”.");
    expect(html).not.toMatch(/(?:href|action)="\/[^"]*W13/i);
    expect(await world.read(leadsTo(await search("not to be found")) ?? "")).toContain("No results.");
    expect(await namesAt(address)).toEqual(["Sender 13"]);
    const message = await world.open(address.replace("/admin", `/admin/messages/${ids[13]}`));
    expect(readText(message)).toContain("← Search results Admin Dashboard Message from Sender 13");
  });

  it("shows everything for an expired search, and without words", async () => {
    const over = await world.open("/admin?search=AAAAAAAAAAAA");
    expect(namesIn(over)).toHaveLength(25);
    expect(readText(over)).toContain("That search has expired. This is the full list.");
    expectDone(await search(" "), "/admin");
  });
});

const download = (query: string, separator = "comma") =>
  world.admin.post(`/admin/submissions.csv?${query}`, { separator });

describe("the download", () => {
  it("contains the open filter as CSV without formulas, with commas or semicolons", async () => {
    const { headers, html: csv } = await download("filter=waiting");
    expect(headers.get("content-type")).toContain("text/csv");
    expect(headers.get("content-disposition")).toBe('attachment; filename="submissions-waiting.csv"');
    expect(headers.get("cache-control")).toBe("no-store");
    expect(csv).toContain(`"Received (${timeZone})"`);
    expect(csv).not.toContain("Trapped");
    expect((await download("filter=waiting", "semicolon")).html).toContain(`"a+b'c@harbor.example";"'=1+1";`);
    expect((await download("filter=all", "pipe")).status).toBe(400);
    const forged = await download("filter=a%22%0d%0aX");
    expect(forged.headers.get("content-disposition")).toBe('attachment; filename="submissions-waiting.csv"');
  });

  it("has a button for each separator, and none for a GET, which leads to the list", async () => {
    const html = await world.open("/admin?filter=all");
    const [, form = ""] =
      /<form method="post" action="\/admin\/submissions\.csv\?filter=all"[^>]*>(.*?)<\/form>/s.exec(html) ?? [];
    const buttons = [...form.matchAll(/<button name="separator" value="(\w+)"[^>]*>([^<]*)</g)];
    expect(buttons.map(([, value, label]) => [value, label])).toEqual([
      ["comma", "Download as CSV"],
      ["semicolon", "Download for Excel in Europe"],
    ]);
    expectDone(await world.admin.get("/admin/submissions.csv?filter=done"), "/admin?filter=done");
  });

  it("contains only search results during a search, and nothing after it expired", async () => {
    const html = await world.open(leadsTo(await search("w7@a.example")) ?? "");
    const address = /action="(\/admin\/submissions\.csv[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const { html: csv } = await world.admin.post(address, { separator: "comma" });
    expect(csv.match(/Sender \d/g)).toEqual(["Sender 7"]);
    expectDone(await download("search=AAAAAAAAAAAA"), "/admin");
  });
});

const waiting = "/admin?filter=waiting";
const spam = "/admin?filter=spam";
const post = (address: string, intent: string, place: number, fields: Record<string, string> = {}) =>
  world.admin.post(address, { intent, id: ids[place] ?? "", ...fields });
const mark = (place: number, state: string, address = waiting) => post(address, "mark", place, { state });
const noticeIn = (html: string) => readText(/<section id="changed".*?<\/section>/s.exec(html)?.[0] ?? "").trim();

describe("a change of a message", () => {
  it("opens the next message of the list after one is done, and names the one before without its name in the address", async () => {
    const answer = await mark(0, "done");
    expect(leadsTo(answer)).toBe(`${waiting}&changed=${ids[0]}#m-${ids[1]}`);
    const page = await world.admin.follow(answer);
    expect(noticeIn(page.html)).toBe("Sender 0: done. Undo");
    expect(idsOf(page.html)).toContain(ids[1]);
    // Without the signed notice, the id alone announces nothing.
    expect(noticeIn(await world.open(`${waiting}&changed=${ids[0]}`))).toBe("");
  });

  it("undoes that, and opens the restored message", async () => {
    const undone = await post(waiting, "undo", 0);
    expect(leadsTo(undone)).toBe(`${waiting}&changed=${ids[0]}#m-${ids[0]}`);
    expect(noticeIn((await world.admin.follow(undone)).html)).toBe("Sender 0: back in New.");
    expect(await world.read(`/admin/messages/${ids[0]}`)).toMatch(/: last change undone, admin@/);
  });

  it("turns to the page that shows the next message", async () => {
    const answer = await mark(24, "done", "/admin?filter=all");
    expect(leadsTo(answer)).toMatch(new RegExp(`page=next\\.\\S+#m-${ids[25]}$`));
    expect(idsOf((await world.admin.follow(answer)).html)[0]).toBe(ids[25]);
  });

  it("keeps a message open that stays in the list, and opens the one before at the end", async () => {
    expect(leadsTo(await mark(3, "in_progress"))).toBe(`${waiting}&changed=${ids[3]}#m-${ids[3]}`);
    const inProgress = "/admin?filter=in_progress";
    expect(leadsTo(await mark(3, "new", inProgress))).toBe(`${inProgress}&changed=${ids[3]}`);
    expect(leadsTo(await mark(29, "done", nextOf(await world.open("/admin"))))).toContain(`#m-${ids[28]}`);
  });

  it("links a message to its list and its neighbors, and returns there after a reply", async () => {
    const address = `/admin/messages/${ids[5]}?filter=waiting`;
    const html = await world.open(address);
    expect(readText(html)).toMatch(/← Needs an answer \(\d+\) ‹ Previous: Sender 4 Next: Sender 6 ›/);
    expect(html).toContain(`href="${waiting}#m-${ids[5]}"`);
    const sent = await post(address, "send", 5, { reply: randomUUID(), text: "Yes." });
    expect(leadsTo(sent)).toBe(`${waiting}&changed=${ids[5]}#m-${ids[6]}`);
    expect(noticeIn((await world.admin.follow(sent)).html)).toBe("Replied to Sender 5. Open message");
  });

  it("deletes the spam shown only after a question", async () => {
    for (const place of [7, 8]) await mark(place, "spam");
    const html = await world.open(spam);
    expect(readText(html)).toContain("Delete all 2 shown");
    const fields = idsOf(html).map((id): [string, string] => ["ids", id]);
    const deleteSpam = (...more: [string, string][]) =>
      world.admin.post(spam, [["intent", "deleteSpam"], ...fields, ...more]);
    const question = /Delete 2 messages\? From Sender 7 , Sender 8 This permanently deletes these messages and their /;
    expectPage(await deleteSpam(), 200, question);
    expect(idsOf(await world.open(spam))).toHaveLength(2);
    expect(leadsTo(await deleteSpam(["confirmed", "yes"]))).toBe(spam);
    expect(idsOf(await world.open(spam))).toEqual([]);
  });

  it("deletes a message only after a question, and goes on with the next", async () => {
    for (const address of [waiting, `/admin/messages/${ids[9]}`]) {
      const asked = await post(address, "delete", 9);
      expectPage(asked, 200, "Delete this message?", "From Sender 9", "deletes the message and its emails");
      expect(asked.html).toContain("<title>Delete this message? | ");
      expect(asked.html).not.toContain('id="reply"');
    }
    expect(leadsTo(await post(waiting, "delete", 9, { confirmed: "yes" }))).toMatch(`#m-${ids[10]}`);
    expectPage(await post(waiting, "delete", 9, { confirmed: "yes" }), 404, "It no longer exists.");
  });

  it("keeps the header of the admin area outside the main part", async () => {
    expect(await world.open("/admin")).toMatch(/<header class="wrap admin-head".*<main/s);
  });
});

describe("a message", () => {
  it("has its own page with other messages from its sender, and can be changed there", async () => {
    await world.write({ name: "Sender 15 again", email: "W15@a.example", goal: "A second question" });
    const id = ids[15] ?? "";
    const address = `/admin/messages/${id}`;
    const page = await world.admin.get(address);
    expectPage(page, 200, "Message from Sender 15 ", /Also from this sender A second question, .* \(New\)/);
    expect(page.html).toMatch(/<title>Message from Sender 15 \|/);
    expect(page.html).not.toContain("<script");
    await mark(15, "done", address);
    const answered = /Status Done Answered \w+ \d+, \d{4}/;
    expectPage(await world.admin.get(address), 200, answered, /Activity .{0,60}GMT\+14: marked as done, admin@/);
    expect((await world.admin.post(address, { intent: "mark", id: randomUUID(), state: "done" })).status).toBe(400);
    const deleted = await post(address, "delete", 15, { confirmed: "yes" });
    expect(leadsTo(deleted)).toMatch(/^\/admin\?filter=waiting&changed=/);
  });

  it("is restored from quarantine", async () => {
    const id = findMessageId(await world.open("/admin?filter=quarantined"), "Trapped");
    expect((await world.admin.post("/admin", { intent: "restore", id })).status).toBe(303);
    expect(await namesAt("/admin?filter=all")).toContain("Trapped");
  });
});

it("counts response times of messages", async () => {
  expect(await world.read("/admin/answer-times")).toMatch(/\w{3} \d{4} \d+ \d+ minutes? (\d+) of \1 \(100%\)/);
});
