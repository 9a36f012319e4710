import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMailsTo } from "../../support/data-rights";
import { withDatabaseOf } from "../../support/find-text";
import { type NewMember, insertMembers, insertNetworkCounts, readTokens } from "../../support/network";
import { findTag, findTags, readTexts } from "../../support/page-source";
import { startSite, testAdmin, type TestSite } from "../../support/site";
import { makeSiteFolder } from "../../support/site-folder";
import { Visitor, filledContactForm, leadsTo, noticeOf, readText } from "../../support/visitor";
import { ageSignIn } from "../support/authenticator";

const path = "/admin/network";

/** Members of one kind, enough for two pages, and some in the other states. */
const members: NewMember[] = [
  ...Array.from({ length: 27 }, (_, n): NewMember => ({
    name: `Member ${n + 10}`,
    kind: n % 3 === 0 ? "fund" : "angel",
    fields: n % 2 === 0 ? ["ai"] : ["devices"],
  })),
  { name: "Admitted Ada", state: "admitted", kind: "lender", fields: ["ai", "wellness"] },
  { name: "Declined Dan", state: "declined" },
  { name: "Asking Ann", state: "asked" },
  { name: "=HYPERLINK(1)", company: "אור", state: "admitted" },
];

let site: TestSite;
let admin: Visitor;
let ids: Map<string, string>;
let pausedToken: string;

beforeAll(async () => {
  const dataDir = await makeSiteFolder();
  await withDatabaseOf(dataDir, async (sql) => {
    ids = await insertMembers(sql, [...members, ...reviewed.map((name) => ({ name, email: addressOf(name) }))]);
    await sql("update public.network_members set unsubscribed_at = now() where name = 'Stopping'");
    await sql(
      "update public.network_members set paused_at = now(), pause_reason = 'smtp-550-5-1-1' where name = 'Paused'",
    );
    pausedToken = (await readTokens(sql, "page")).get("Paused")!;
    await insertNetworkCounts(sql, { asked: 4, confirmed: 3 });
  });
  site = await startSite({}, { dataDir });
  admin = new Visitor(site.url);
  await admin.signIn();
});
afterAll(() => site?.stop());

/** Members that tests change, one each. */
const reviewed = ["Noted", "Weighed", "Contested", "Linked", "Removed", "Writing", "Stopping", "Paused"];
const addressOf = (name: string) => `${name.toLowerCase()}@fund.example`;
const pageOf = (name: string) => `${path}/${ids.get(name)}`;
const namesOn = (html: string) =>
  [...html.matchAll(/<span class="member-person"><bdi>(.*?)<\/bdi>/g)].map(([, name]) => name);

/** Reads the hidden fields of the form with a note. */
async function openForm(visitor: Visitor, address: string): Promise<Record<string, string>> {
  const { html } = await visitor.get(address);
  const form = html.split("<form").find((part) => part.includes('id="note"')) ?? "";
  const hidden = findTags(`<form${form}`, "input").filter(({ attributes }) => attributes.type === "hidden");
  return Object.fromEntries(hidden.map(({ attributes }) => [attributes.name ?? "", attributes.value ?? ""]));
}

describe("the list", () => {
  it("opens with people who wait for a review, in pages, with the number in each state", async () => {
    const first = await admin.get(path);
    expect([first.status, readTexts(first.html, "title")[0]]).toEqual([
      200,
      expect.stringMatching(/^Investor network \|/),
    ]);
    const text = readText(first.html);
    for (const tab of ["To review (35)", "Admitted (2)", "Declined (1)", "Not confirmed (1)", "Left: 0"])
      expect(text).toContain(tab);
    expect(text).toMatch(
      /Member 10, Member 10 Capital Venture or private equity firm \$25,000 to \$100,000 Clinical and administrative AI Confirmed \w{3} \d+, \d{4}/,
    );
    const second = await admin.get(findTag(first.html, "a", { rel: "next" })?.attributes.href ?? "");
    expect([namesOn(first.html).length, namesOn(second.html).length]).toEqual([25, 10]);
    expect(new Set([...namesOn(first.html), ...namesOn(second.html)]).size).toBe(35);
    expect(findTag(second.html, "a", { rel: "prev" })?.attributes.href).toBe(`${path}?filter=confirmed`);
    expect(first.html).not.toContain("<script");
  });

  it("shows the other states, and leads back from a page after the last", async () => {
    expect(namesOn((await admin.get(`${path}?filter=asked`)).html)).toEqual(["Asking Ann"]);
    const text = readText((await admin.get(`${path}?filter=admitted`)).html);
    expect(text).toMatch(
      /Admitted Ada, Admitted Ada Capital Private credit lender .*Wellness and longevity Admitted \w{3} \d/,
    );
    const beyond = await admin.get(`${path}?filter=confirmed&page=900`);
    expect(readText(beyond.html)).toContain("No members here.");
    expect(findTag(beyond.html, "a", { rel: "prev" })?.attributes.href).toBe(`${path}?filter=confirmed&page=2`);
  });

  it("is filtered by kind and field through a plain form, and keeps both while paging and changing tabs", async () => {
    const { html } = await admin.get(`${path}?filter=confirmed&kind=fund&field=ai`);
    expect(namesOn(html).toSorted()).toEqual(["Member 10", "Member 16", "Member 22", "Member 28", "Member 34"]);
    expect(readText(html)).toContain("5 members match.");
    const form = findTag(html, "form", { method: "get" })?.attributes;
    expect(form?.action).toBe(path);
    expect(html).toMatch(/<option value="fund" selected="">/);
    expect(html).toMatch(/<option value="ai" selected="">/);
    expect(html).toContain(`href="${path}?filter=admitted&amp;kind=fund&amp;field=ai"`);
    expect(readText(html)).not.toContain("To review (");
    expect(readText((await admin.get(`${path}?kind=angel`)).html)).toContain("26 members match.");
  });

  it("ignores values that do not exist", async () => {
    for (const query of ["filter=nonsense&page=-1", "kind=nonsense&field=__proto__", "kind=&field=&page=1e3"]) {
      const { status, html } = await admin.get(`${path}?${query}`);
      expect([query, status, namesOn(html).length]).toEqual([query, 200, 25]);
    }
  });

  it("explains how people get into it while it is empty", async () => {
    const empty = await startSite();
    const visitor = new Visitor(empty.url);
    await visitor.signIn();
    const { html } = await visitor.get(path);
    await empty.stop();
    expect(readText(html)).toContain("No one has asked to join yet.");
    expect(findTag(html, "a", { href: "/contact?about=investors&want=network" })).toBeDefined();
    expect(html).not.toContain("Download as CSV");
  });
});

const readLinkMails = () => readMailsTo(site.dataDir, addressOf("Linked"));

describe("a member's page", () => {
  it("shows everything kept with isolated text, and does not exist for other ids", async () => {
    const { html } = await admin.get(pageOf("=HYPERLINK(1)"));
    expect(html).toContain("<bdi>אור</bdi>");
    expect(readTexts(html, "title")[0]).toMatch(/^Investor =HYPERLINK\(1\) \|/);
    const text = readText((await admin.get(pageOf("Member 10"))).html);
    for (const fact of [
      "State Confirmed",
      "Country or state Vermont",
      "(not checked) By net worth",
      "Asked to join",
      "Log",
    ])
      expect(text).toContain(fact);
    expect(text).toMatch(/Confirmed the address, \w{3} \d.*, Member/);
    for (const id of [randomUUID(), "nonsense"]) expect((await admin.get(`${path}/${id}`)).status).toBe(404);
  });

  it("adds a note, and refuses a missing or too long one with its text", async () => {
    const form = await openForm(admin, pageOf("Noted"));
    const missing = await admin.post(pageOf("Noted"), { ...form, intent: "noted", text: " " });
    expect([missing.status, readText(missing.html)]).toEqual([400, expect.stringContaining("Enter your note")]);
    const long = "n".repeat(2_001);
    const refused = await admin.post(pageOf("Noted"), { ...form, intent: "admitted", text: long });
    expect([refused.status, readText(refused.html)]).toEqual([
      400,
      expect.stringContaining("Shorten your note by 1 character."),
    ]);
    expect(refused.html).toContain(`${long}</textarea>`);
    const noted = await admin.post(pageOf("Noted"), { ...form, intent: "noted", text: "Met at\nthe fair" });
    expect([leadsTo(noted), noticeOf(noted)]).toEqual([pageOf("Noted"), "memberNoted"]);
    const { html } = await admin.follow(noted);
    expect(readText(html)).toMatch(/Note, \w{3} \d[^@]*admin@firm\.example\)? Met at the fair/);
    expect(html).toContain('dir="auto">Met at\nthe fair</p>');
    expect((await admin.post(pageOf("Noted"), { ...form, intent: "nonsense" })).status).toBe(400);
  });

  it("admits and declines by hand, dated and by whom, without an email", async () => {
    const address = pageOf("Weighed");
    expect(readText((await admin.get(address)).html)).toContain("Neither Admit nor Decline sends an email.");
    const admitted = await admin.post(address, { ...(await openForm(admin, address)), intent: "admitted", text: "" });
    expect(noticeOf(admitted)).toBe("memberAdmitted");
    const after = readText((await admin.follow(admitted)).html);
    expect(after).toMatch(/State Admitted .*Decided \w{3} \d.* Admitted, \w{3} \d[^@]*admin@firm\.example/);
    const form = await openForm(admin, address);
    await admin.post(address, { ...form, intent: "declined", text: "Competes with a client" });
    expect(namesOn((await admin.get(`${path}?filter=declined`)).html)).toContain("Weighed");
    expect(readText((await admin.get(address)).html)).toMatch(/Declined, \w{3} \d.* Competes with a client/);
    expect(await readMailsTo(site.dataDir, addressOf("Weighed"))).toEqual([]);
  });

  it("admits no one who has not confirmed, and keeps the note", async () => {
    const address = pageOf("Asking Ann");
    const { html } = await admin.get(address);
    expect(readText(html)).toContain("once they have confirmed their address");
    expect(html).not.toContain('value="admitted"');
    const refused = await admin.post(address, { intent: "admitted", text: "A friend", seen: "0" });
    expect(refused.status).toBe(409);
    expect(refused.html).toMatch(/<textarea[^>]*readonly=""[^>]*>\n?A friend</);
    expect(readText((await admin.get(address)).html)).toContain("State Not confirmed");
  });

  it("applies nothing over a colleague's change, shows that change, and keeps the note", async () => {
    const address = pageOf("Contested");
    const grace = new Visitor(site.url);
    await grace.signIn();
    const shown = await openForm(grace, address);
    await admin.post(address, { ...(await openForm(admin, address)), intent: "declined", text: "Not our field" });
    const conflict = await grace.post(address, { ...shown, intent: "admitted", text: "Good call today" });
    expect([conflict.status, readTexts(conflict.html, "title")[0]]).toEqual([409, expect.stringMatching(/^Error: /)]);
    const [, notice = ""] = /data-notice="error">(.*?)<div class="request-page"/s.exec(conflict.html) ?? [];
    expect(readText(notice)).toMatch(/was changed while the page was open.*Declined, .*Not our field/);
    expect(conflict.html).toContain("Good call today</textarea>");
    const again = await grace.post(address, {
      intent: "admitted",
      text: "Good call today",
      seen: findTag(conflict.html, "input", { name: "seen" })?.attributes.value ?? "",
    });
    expect(noticeOf(again)).toBe("memberAdmitted");
  });

  it("sends the link again, once in ten minutes", async () => {
    const address = pageOf("Linked");
    expect(noticeOf(await admin.post(address, { intent: "sendLink" }))).toBe("memberLinkSent");
    await expect.poll(async () => (await readLinkMails()).length).toBe(1);
    expect((await readLinkMails())[0]?.text).toMatch(/\/network\?token=[\w-]{43}/);
    const soon = await admin.post(address, { intent: "sendLink" });
    expect([soon.status, readText(soon.html)]).toEqual([409, expect.stringContaining("less than 10 minutes ago")]);
    const text = readText((await admin.get(address)).html);
    expect(text).toMatch(/New link to their page, .*admin@firm\.example/);
    expect(text).toContain("handed to the mail server");
  });

  it("says who stopped all mail and whose mailbox returned it, which the member can end", async () => {
    expect(readText((await admin.get(pageOf("Stopping"))).html)).toMatch(
      /Stopped all mail \w+ .*Gets no mail\. The entry is deleted 7 days later/,
    );
    expect((await admin.get(pageOf("Stopping"))).html).not.toContain('value="sendLink"');
    const refused = await admin.post(pageOf("Stopping"), { intent: "sendLink" });
    expect([refused.status, readText(refused.html)]).toEqual([409, expect.stringContaining("stopped all mail, so")]);
    // The oldest are last.
    const { html } = await admin.get(`${path}?page=2`);
    const rows = html.match(/<li><a href="[^"]*" class="member-row">.*?<\/li>/g) ?? [];
    expect(rows.filter((row) => row.includes("Stopped mail ")).map((row) => namesOn(row)[0])).toEqual(["Stopping"]);
    expect(readText((await admin.get(pageOf("Paused"))).html)).toContain(
      "Mail was returned: The mailbox does not exist.",
    );
    const member = new Visitor(site.url);
    const link = `/network?token=${pausedToken}`;
    expect(readText((await member.get(link)).html)).toMatch(
      /Mail to you was returned on .*: “The mailbox does not exist”/,
    );
    await member.post(link, { token: pausedToken, intent: "resume" });
    expect(readText((await member.get(link)).html)).not.toContain("was returned");
    const after = readText((await admin.get(pageOf("Paused"))).html);
    expect(after).not.toContain("Mail was returned: ");
    expect(after).toMatch(/Wants mail again, \w+ .*Member/);
  });

  it("is removed after a question on a separate page, and a recent sign-in", async () => {
    const address = pageOf("Removed");
    ageSignIn(admin, site.dataDir, 16);
    const confirm = `/admin/confirm?next=${encodeURIComponent(address)}`;
    for (const confirmed of ["", "yes"])
      expect(leadsTo(await admin.post(address, { intent: "remove", confirmed }))).toBe(confirm);
    expect(leadsTo(await admin.post(confirm, { password: testAdmin.password }))).toBe(address);
    const asked = await admin.post(address, { intent: "remove" });
    expect([asked.status, readText(asked.html)]).toEqual([200, expect.stringContaining("Remove from the network?")]);
    expect(asked.html).not.toContain('id="note"');
    expect((await admin.get(address)).status).toBe(200);
    const removed = await admin.post(address, { intent: "remove", confirmed: "yes" });
    expect([leadsTo(removed), noticeOf(removed)]).toEqual([path, "memberRemoved"]);
    expect((await admin.get(address)).status).toBe(404);
    expect(readText((await admin.get(path)).html)).toContain("Left: 1");
    expect(readText((await admin.get("/admin/people")).html)).toContain("removed a member of the investor network");
  });

  it("links to the messages from its address, and they link back", async () => {
    await new Visitor(site.url).post("/contact", { ...filledContactForm, email: " Writing@Fund.example" });
    const { html } = await admin.get("/admin");
    expect(html).toMatch(new RegExp(`href="${pageOf("Writing")}"[^>]*>Asked to join the investor network<`));
    const [, message = ""] =
      /href="(\/admin\/messages\/[0-9a-f-]{36})/.exec((await admin.get(pageOf("Writing"))).html) ?? [];
    expect(findTag((await admin.get(message)).html, "a", { href: pageOf("Writing") })).toBeDefined();
  });
});

const download = (query: string, fields: Record<string, string> = { separator: "comma" }) =>
  admin.post(`${path}.csv?${query}`, fields);

describe("the download", () => {
  it("contains the filtered members without formulas and direction marks, and is logged", async () => {
    const { headers, html: csv } = await download("filter=admitted");
    expect(headers.get("content-type")).toContain("text/csv");
    expect(headers.get("content-disposition")).toBe('attachment; filename="investor-network-admitted.csv"');
    expect(csv).toContain(`"'=HYPERLINK(1)",`);
    expect(csv).toContain('"אור"');
    expect(csv).toContain('"Admitted Ada"');
    expect(csv).not.toContain("Declined Dan");
    expect((await download("filter=confirmed")).html).not.toContain("Stopping");
    expect((await download("filter=admitted&kind=lender&field=wellness")).html.split("\r\n")).toHaveLength(3);
    expect((await download("filter=admitted", { separator: "semicolon" })).html).toContain('"Admitted Ada";"');
    expect(readText((await admin.get("/admin/people")).html)).toContain("downloaded members of the investor network");
  });

  it("requires POST and a separator", async () => {
    const { status, headers } = await admin.get(`${path}.csv?filter=admitted&kind=fund`);
    expect([status, headers.get("location")]).toEqual([303, `${path}?filter=admitted&kind=fund`]);
    expect((await download("", { separator: "pipe" })).status).toBe(400);
  });
});

it("is closed to strangers", async () => {
  const stranger = new Visitor(site.url);
  for (const address of [path, pageOf("Noted"), `${path}/${randomUUID()}`, `${path}.csv`])
    expect([address, leadsTo(await stranger.get(address))]).toEqual([address, "/login"]);
  for (const intent of ["admitted", "remove", "sendLink"])
    expect(leadsTo(await stranger.post(pageOf("Noted"), { intent, confirmed: "yes" }))).toBe("/login");
  expect(leadsTo(await stranger.post(`${path}.csv`, { separator: "comma" }))).toBe("/login");
  expect((await admin.get(pageOf("Noted"))).status).toBe(200);
});

it("counts who asked, confirmed and left", async () => {
  const { html } = await admin.get("/admin/numbers?period=year");
  const [, table = ""] = /<section aria-labelledby="network"(.*?)<\/section>/s.exec(html) ?? [];
  expect(readText(table)).toContain("Month Asked Confirmed Left");
  // One was removed above.
  expect(readText(table)).toMatch(/Total 4 3 1/);
});
