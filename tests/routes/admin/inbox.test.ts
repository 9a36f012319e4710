import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMailsTo } from "../../support/data-rights";
import { findTag } from "../../support/page-source";
import { startSite, testAdmin, type TestSite } from "../../support/site";
import { Visitor, filledContactForm, leadsTo, readText } from "../../support/visitor";

let product: TestSite;
let admin: Visitor;

beforeAll(async () => {
  // A time zone without daylight saving time whose date differs from UTC's for most of the day.
  product = await startSite({ TIME_ZONE: "Pacific/Kiritimati" });
  for (let number = 1; number <= 27; number++) await write({ name: `Writer ${number}`, email: `w${number}@a.example` });
  const formula = { name: "=HYPERLINK(1)", company: "Harbor;=1+1", message: 'Says "hello",\nand more' };
  await write({ ...formula, email: "formula@a.example" });
  await write({ name: "Trapped", email: "trapped@a.example", topic: "x" });
  admin = new Visitor(product.url);
  await admin.signIn();
});
afterAll(async () => {
  await product.stop();
});

async function write(fields: Partial<typeof filledContactForm>) {
  const { status } = await new Visitor(product.url).post("/contact", { ...filledContactForm, ...fields });
  expect(status).toBe(303);
}

const download = (query: string, separator = "comma") => admin.post(`/admin/submissions.csv?${query}`, { separator });
const search = (words: string) => admin.postAndFollow("/admin", { intent: "search", search: words });
const nameOf = (html: string) => [...html.matchAll(/<h3 id="submission[^>]*>([^<]*)<\/h3>/g)].map(([, name]) => name);
const idOf = (html: string, name: string) =>
  new RegExp(`<h3 id="submission-([0-9a-f-]{36})"[^>]*>${name}</h3>`).exec(html)?.[1] ?? "";

describe("the list", () => {
  it("starts with the newest, and shows times in the firm's time zone and the time left", async () => {
    const { html } = await admin.get("/admin");
    const [, at = "", shown = ""] = /<time dateTime="([^"]+)"[^>]*>([^<]+)<\/time>/.exec(html) ?? [];
    const options = { timeZone: "Pacific/Kiritimati", month: "short", day: "numeric" } as const;
    const day = new Intl.DateTimeFormat("en-US", options).format(new Date(at));
    expect(shown).toMatch(new RegExp(`^${day}, \\d+:\\d\\d\\s[AP]M$`));
    expect(readText(html)).toMatch(/Received [A-Z].{15,25} GMT\+14 /);
    expect(readText(html)).not.toContain(" UTC");
    expect(nameOf(html).slice(0, 3)).toEqual(["=HYPERLINK(1)", "Writer 27", "Writer 26"]);
    expect(readText(html)).toMatch(/Writer 27 .{0,80}2[34] hours left/);
  });

  it("shows 25 a page, pages forward and back, and repeats no message", async () => {
    const first = await admin.get("/admin");
    const next = findTag(first.html, "a", { rel: "next" })?.attributes.href ?? "";
    expect(next).toMatch(/^\/admin\?filter=waiting&page=next\.[\w.-]+$/);
    const second = await admin.get(next);
    const names = [...nameOf(first.html), ...nameOf(second.html)];
    expect(names).toHaveLength(28);
    expect(new Set(names).size).toBe(28);
    expect(names).not.toContain("Trapped");
    const back = findTag(second.html, "a", { rel: "prev" })?.attributes.href ?? "";
    expect(nameOf((await admin.get(back)).html)).toEqual(nameOf(first.html));
  });

  it("falls back to the beginning for an unknown filter or page", async () => {
    expect((await admin.get("/admin?filter=nonsense&page=nonsense")).status).toBe(200);
  });

  it("searches all texts and keeps the search words out of every URL", async () => {
    const answer = await admin.post("/admin?filter=all", { intent: "search", search: "W13@A.example" });
    expect(answer.status).toBe(303);
    const address = leadsTo(answer) ?? "";
    expect(address).toMatch(/^\/admin\?search=[\w-]{12}$/);
    const found = await admin.get(address);
    expect(nameOf(found.html)).toEqual(["Writer 13"]);
    expect(readText(found.html)).toContain("Showing results for “W13@A.example”.");
    expect(found.html).not.toMatch(/(?:href|action)="\/[^"]*W13/i);
    expect(readText((await search("not to be found")).html)).toContain("No results.");
    expect(nameOf((await admin.get(address)).html)).toEqual(["Writer 13"]);
    expect(nameOf((await admin.get("/admin")).html)).toHaveLength(25);
  });

  it("shows everything for an expired search, and without words", async () => {
    const over = await admin.get("/admin?search=AAAAAAAAAAAA");
    expect(nameOf(over.html)).toHaveLength(25);
    expect(readText(over.html)).toContain("That search has expired. This is the full list.");
    expect(leadsTo(await admin.post("/admin", { intent: "search", search: " " }))).toBe("/admin");
  });
});

describe("a message", () => {
  it("disappears from other lists once it is spam", async () => {
    const id = idOf((await admin.get("/admin?filter=waiting")).html, "Writer 19");
    await admin.post("/admin", { intent: "mark", id, state: "spam" });
    expect(nameOf((await admin.get("/admin?filter=spam")).html)).toEqual(["Writer 19"]);
    for (const path of ["/admin", "/admin?filter=all"])
      expect(nameOf((await admin.get(path)).html), path).not.toContain("Writer 19");
    expect((await download("filter=all")).html).not.toContain("Writer 19");
    expect(readText((await search("w19@a.example")).html)).toContain("No results.");
    await admin.post("/admin", { intent: "mark", id, state: "new" });
  });

  it("is marked as answered through the link in the firm's email, but not by opening it", async () => {
    const findMail = async () =>
      (await readMailsTo(product.dataDir, testAdmin.email)).find(({ subject }) => subject.includes("Writer 18,"));
    await expect.poll(findMail).toBeDefined();
    const { text = "" } = (await findMail()) ?? {};
    const link = /(\/answered\?token=[\w-]+)/.exec(text)?.[1] ?? "";
    const visitor = new Visitor(product.url);
    for (const _ of ["a mail scanner", "a person"]) {
      const page = await visitor.get(link);
      expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store, no-transform"]);
      expect(readText(page.html)).toContain("Have you answered this message?");
      expect(page.html).not.toMatch(/Writer|w18@|<script/);
    }
    expect(nameOf((await admin.get("/admin")).html)).toContain("Writer 18");
    const marked = await visitor.postAndFollow("/answered", { token: link.split("=")[1] ?? "" });
    expect(readText(marked.html)).toContain("This message is marked as answered");
    expect(nameOf((await admin.get("/admin")).html)).not.toContain("Writer 18");
    expect(nameOf((await admin.get("/admin?filter=done")).html)).toEqual(["Writer 18"]);
    expect((await visitor.get(`/answered?token=${"A".repeat(43)}`)).status).toBe(404);
    expect((await visitor.post("/answered", { token: "A".repeat(43) })).status).toBe(404);
  });

  it("is marked, found under its filter, and deleted permanently", async () => {
    const { html } = await admin.get("/admin");
    const id = idOf(html, "Writer 20");
    const marked = await admin.postAndFollow("/admin?filter=waiting", { intent: "mark", id, state: "done" });
    expect(readText(marked.html)).toContain("Writer 20: done. Undo");
    const done = await admin.get("/admin?filter=done");
    expect(nameOf(done.html)).toContain("Writer 20");
    await admin.post("/admin?filter=done", { intent: "delete", confirmed: "yes", id });
    expect(nameOf((await admin.get("/admin?filter=done")).html)).not.toContain("Writer 20");
    expect(readText((await admin.get("/admin?filter=in_progress")).html)).toContain("No messages here.");
    const again = await admin.post("/admin", { intent: "delete", confirmed: "yes", id });
    expect(again.status).toBe(404);
    expect(readText(again.html)).toContain("It no longer exists.");
  });

  it("has its own page with other messages from its sender, and can be changed there", async () => {
    await write({ name: "Writer 5 again", email: "W5@a.example", goal: "A second question" });
    const id = idOf((await admin.get("/admin")).html, "Writer 5");
    const address = `/admin/messages/${id}`;
    const { html } = await admin.get(address);
    expect(readText(html)).toContain("Message from Writer 5 ");
    expect(html).toMatch(/<title>Message from Writer 5 \|/);
    expect(readText(html)).toMatch(/Also from this sender A second question, .* \(New\)/);
    expect(html).not.toContain("<script");
    const led = await admin.postAndFollow(address, { intent: "mark", id, state: "done" });
    expect(readText(led.html)).toContain("Writer 5: done. Undo");
    const marked = await admin.get(address);
    expect(readText(marked.html)).toMatch(/Status Done Answered \w+ \d+, \d{4}/);
    expect(readText(marked.html)).toMatch(/Activity .{0,60}GMT\+14: marked as done, admin@/);
    expect((await admin.post(address, { intent: "mark", id: crypto.randomUUID(), state: "done" })).status).toBe(400);
    const deleted = await admin.post(address, { intent: "delete", confirmed: "yes", id });
    expect(leadsTo(deleted)).toMatch(/^\/admin\?filter=waiting&changed=/);
    expect((await admin.get(address)).status).toBe(404);
    expect((await admin.get("/admin/messages/nonsense")).status).toBe(404);
    expect(leadsTo(await new Visitor(product.url).get(address))).toBe("/login");
  });

  it("is restored from quarantine only once", async () => {
    const id = idOf((await admin.get("/admin?filter=quarantined")).html, "Trapped");
    expect((await admin.post("/admin", { intent: "mark", id, state: "done" })).status).toBe(409);
    expect((await admin.post("/admin", { intent: "restore", id })).status).toBe(303);
    expect(nameOf((await admin.get("/admin?filter=all")).html)).toContain("Trapped");
    expect((await admin.post("/admin", { intent: "restore", id })).status).toBe(409);
  });

  it.each<Record<string, string>>([
    { intent: "mark", id: "no-uuid", state: "done" },
    { intent: "mark", id: "00000000-0000-4000-8000-000000000000", state: "nonsense" },
    { intent: "nonsense" },
  ])("rejects an invalid form: %o", async (form) => {
    expect((await admin.post("/admin", form)).status).toBe(400);
  });
});

it("counts response times of messages", async () => {
  const { status, html } = await admin.get("/admin/answer-times");
  expect(status).toBe(200);
  expect(readText(html)).toMatch(/\w{3} \d{4} \d+ \d+ minutes? (\d+) of \1 \(100%\)/);
});

describe("the download", () => {
  it("contains the open filter as CSV without formulas", async () => {
    const { headers, html: csv } = await download("filter=waiting");
    expect(headers.get("content-type")).toContain("text/csv");
    expect(headers.get("content-disposition")).toBe('attachment; filename="submissions-waiting.csv"');
    expect(headers.get("cache-control")).toBe("no-store");
    const lines = csv.split("\r\n");
    expect(lines[0]?.replace("\uFEFF", "")).toBe(
      '"Received (Pacific/Kiritimati)","Time (Pacific/Kiritimati)","Name","Email","Company","Business stage","Goal","Message","IP address","State","Held back","Reference"',
    );
    expect(lines.at(-1)).toBe("");
    expect(csv).toContain(`,"'=HYPERLINK(1)","formula@a.example","Harbor;=1+1",`);
    expect(csv).toContain('"Says ""hello"",\nand more"');
  });

  it("contains only search results during a search", async () => {
    const { html } = await search("w7@a.example");
    const address = /action="(\/admin\/submissions\.csv[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const { html: csv } = await admin.post(address, { separator: "comma" });
    expect(csv).toContain("Writer 7");
    expect(csv).not.toContain("Writer 8");
    const over = await download("search=AAAAAAAAAAAA");
    expect([over.status, leadsTo(over)]).toEqual([303, "/admin"]);
  });

  it("is also available with semicolons, from a second button", async () => {
    const { html } = await admin.get("/admin?filter=all");
    const [, form = ""] =
      /<form method="post" action="\/admin\/submissions\.csv\?filter=all"[^>]*>(.*?)<\/form>/s.exec(html) ?? [];
    const buttons = [...form.matchAll(/<button name="separator" value="(\w+)"[^>]*>([^<]*)</g)];
    expect(buttons.map(([, value, label]) => [value, label])).toEqual([
      ["comma", "Download as CSV"],
      ["semicolon", "Download for Excel in Europe"],
    ]);
    const [comma, semicolon] = await Promise.all(["comma", "semicolon"].map((name) => download("filter=all", name)));
    expect(semicolon?.headers.get("content-type")).toContain("text/csv");
    expect(semicolon?.html.replaceAll('";"', '","')).toBe(comma?.html);
    expect(semicolon?.html).toContain('";"Harbor;=1+1";"');
    expect((await download("filter=all", "pipe")).status).toBe(400);
    expect((await admin.post("/admin/submissions.csv", {})).status).toBe(400);
  });

  it("requires POST, is logged, and redirects a GET to the list", async () => {
    const count = async () => readText((await admin.get("/admin/people")).html).split("downloaded messages").length;
    const before = await count();
    const opened = await admin.get("/admin/submissions.csv?filter=done");
    expect([opened.status, opened.headers.get("location")]).toEqual([303, "/admin?filter=done"]);
    expect(opened.html).not.toContain("Writer");
    const foreign = await admin.post(
      "/admin/submissions.csv",
      { separator: "comma" },
      { Origin: "https://evil.example" },
    );
    expect(foreign.status).toBe(403);
    expect(await count()).toBe(before);
    await download("filter=done");
    expect(await count()).toBe(before + 1);
  });
});

it("is closed to unauthenticated visitors and foreign origins", async () => {
  const visitor = new Visitor(product.url);
  for (const path of [
    "/admin/submissions.csv",
    "/admin/requests",
    "/admin/requests/00000000-0000-4000-8000-000000000000",
  ]) {
    const { status, headers } = await visitor.get(path);
    expect(status, path).toBe(303);
    expect(leadsTo({ headers }), path).toBe("/login");
    expect((await admin.post(path, {}, { Origin: "https://evil.example" })).status, path).toBeGreaterThanOrEqual(403);
  }
  const file = "/admin/requests/00000000-0000-4000-8000-000000000000/package";
  expect(leadsTo(await visitor.post(file, { format: "json" }))).toBe("/login");
  expect((await admin.post(file, { format: "json" })).status).toBe(404);
  expect((await admin.post(file, { format: "exe" })).status).toBe(400);
  expect((await admin.get("/admin/requests/00000000-0000-4000-8000-000000000000")).status).toBe(404);
  expect((await admin.get("/admin/requests/nonsense")).status).toBe(404);
});
