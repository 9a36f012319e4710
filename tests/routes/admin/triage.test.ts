import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findTag } from "../../support/page-source";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, filledContactForm, leadsTo, readText } from "../../support/visitor";

let product: TestSite;
let admin: Visitor;
/** ids of the messages that wait, the newest first: Sender 0, Sender 1, … */
const ids: string[] = [];

beforeAll(async () => {
  product = await startSite();
  admin = new Visitor(product.url);
  await admin.signIn();
  for (let number = 29; number >= 0; number--) await write(`Sender ${number}`);
  const { html } = await admin.get("/admin");
  const next = findTag(html, "a", { rel: "next" })?.attributes.href ?? "";
  ids.push(...idsOf(html), ...idsOf((await admin.get(next)).html));
});
afterAll(async () => {
  await product.stop();
});

const write = (name: string) =>
  new Visitor(product.url).post("/contact", { ...filledContactForm, name, email: `${randomUUID()}@a.example` });
const idsOf = (html: string) => [...html.matchAll(/<section id="m-([0-9a-f-]{36})"/g)].map(([, id]) => id ?? "");
const mark = (id: string | undefined, state: string, address = "/admin?filter=waiting") =>
  admin.post(address, { intent: "mark", id: id ?? "", state });
const noticeIn = (html: string) => readText(/<section id="changed".*?<\/section>/s.exec(html)?.[0] ?? "").trim();

it("opens the next message of the list after one is done, and names the one before without its name in the address", async () => {
  const answer = await mark(ids[0], "done");
  expect(leadsTo(answer)).toBe(`/admin?filter=waiting&changed=${ids[0]}#m-${ids[1]}`);
  const page = await admin.follow(answer);
  expect(noticeIn(page.html)).toBe("Sender 0: done. Undo");
  expect(idsOf(page.html)).toContain(ids[1]);
  // Without the signed notice, the id alone announces nothing.
  expect(noticeIn((await admin.get(`/admin?filter=waiting&changed=${ids[0]}`)).html)).toBe("");
});

it("undoes that, and opens the restored message", async () => {
  const undone = await admin.post("/admin?filter=waiting", { intent: "undo", id: ids[0] ?? "" });
  expect(leadsTo(undone)).toBe(`/admin?filter=waiting&changed=${ids[0]}#m-${ids[0]}`);
  expect(noticeIn((await admin.follow(undone)).html)).toBe("Sender 0: back in New.");
  const log = readText((await admin.get(`/admin/messages/${ids[0]}`)).html);
  expect(log).toMatch(/marked as done, admin@\S+ .*: last change undone, admin@/);
  expect((await admin.post("/admin", { intent: "undo", id: ids[0] ?? "" })).status).toBe(409);
});

it("turns to the page that shows the next message", async () => {
  const answer = await mark(ids[24], "done", "/admin?filter=all");
  const address = leadsTo(answer) ?? "";
  expect(address).toMatch(new RegExp(`page=next\\.\\S+#m-${ids[25]}$`));
  expect(idsOf((await admin.follow(answer)).html)[0]).toBe(ids[25]);
});

it("keeps a message open that stays in the list, and opens the one before at the end", async () => {
  const inProgress = await mark(ids[3], "in_progress");
  expect(leadsTo(inProgress)).toBe(`/admin?filter=waiting&changed=${ids[3]}#m-${ids[3]}`);
  expect(leadsTo(await mark(ids[3], "new", "/admin?filter=in_progress"))).toBe(
    `/admin?filter=in_progress&changed=${ids[3]}`,
  );
  const { html } = await admin.get("/admin");
  const second = findTag(html, "a", { rel: "next" })?.attributes.href ?? "";
  const last = await mark(ids[29], "done", second);
  expect(leadsTo(last)).toContain(`#m-${ids[28]}`);
});

it("links a message to its list and its neighbors, and returns there after a reply", async () => {
  const address = `/admin/messages/${ids[5]}?filter=waiting`;
  const { html } = await admin.get(address);
  expect(readText(html)).toMatch(/← Needs an answer \(\d+\) Previous: Sender 4 Next: Sender 6 →/);
  expect(html).toContain(`href="/admin/messages/${ids[6]}?filter=waiting"`);
  expect(html).toContain(`href="/admin?filter=waiting#m-${ids[5]}"`);
  const sent = await admin.post(address, { intent: "send", reply: randomUUID(), text: "Yes." });
  expect(leadsTo(sent)).toBe(`/admin?filter=waiting&changed=${ids[5]}#m-${ids[6]}`);
  expect(noticeIn((await admin.follow(sent)).html)).toBe("Replied to Sender 5. Open message");
  expect((await admin.post(address, { intent: "undo", id: ids[5] ?? "" })).status).toBe(409);
});

it("deletes a message, a saved text and the spam shown only after a question", async () => {
  await mark(ids[7], "spam");
  await mark(ids[8], "spam");
  const list = await admin.get("/admin?filter=spam");
  expect(readText(list.html)).toContain("Delete all 2 shown");
  const fields = new URLSearchParams({ intent: "deleteSpam" });
  for (const id of idsOf(list.html)) fields.append("ids", id);
  const post = (more: Record<string, string>) =>
    admin.post("/admin?filter=spam", [...fields, ...Object.entries(more)] as unknown as Record<string, string>);
  const question = await post({});
  expect([question.status, readText(question.html)]).toEqual([
    200,
    expect.stringMatching(/Delete 2 messages\? From Sender 7 , Sender 8 /),
  ]);
  expect(idsOf((await admin.get("/admin?filter=spam")).html)).toHaveLength(2);
  expect(leadsTo(await post({ confirmed: "yes" }))).toBe("/admin?filter=spam");
  expect(idsOf((await admin.get("/admin?filter=spam")).html)).toHaveLength(0);

  const deletion = { intent: "delete", id: ids[9] ?? "" };
  for (const address of ["/admin?filter=waiting", `/admin/messages/${ids[9]}`]) {
    const asked = await admin.post(address, deletion);
    expect([asked.status, readText(asked.html)]).toEqual([200, expect.stringContaining("Delete this message?")]);
    expect(readText(asked.html)).toContain("From Sender 9");
    expect(asked.html).not.toContain('id="reply"');
  }
  const deleted = await admin.post("/admin?filter=waiting", { ...deletion, confirmed: "yes" });
  expect(leadsTo(deleted)).toMatch(`#m-${ids[10]}`);

  const name = randomUUID();
  await admin.post("/admin/snippets", { intent: "save", name, body: "Words" });
  const { html } = await admin.get("/admin/snippets");
  const id = /name="id" value="([0-9a-f-]{36})"/.exec(html)?.[1] ?? "";
  const asked = await admin.post("/admin/snippets", { intent: "delete", id, name });
  expect([asked.status, readText(asked.html)]).toEqual([200, expect.stringContaining(`Delete this text? ${name}`)]);
  expect((await admin.get("/admin/snippets")).html).toContain(id);
});

it("keeps the header of the admin area outside the main part", async () => {
  for (const path of ["/admin", `/admin/messages/${ids[10]}`, "/admin/requests", "/admin/people"]) {
    const { html } = await admin.get(path);
    expect([path, html.indexOf('<header class="wrap admin-head"') < html.indexOf("<main")]).toEqual([path, true]);
    expect(html.match(/<main/g)).toHaveLength(1);
  }
});
