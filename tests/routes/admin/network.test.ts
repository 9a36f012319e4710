import { describe, expect, it } from "vitest";
import { withDatabaseOf } from "../../support/find-text";
import { type NewMember, insertMembers, insertNetworkCounts, readTokens } from "../../support/network";
import { findTag } from "../../support/page-source";
import { startSite, testAdmin } from "../../support/site";
import { makeSiteFolder } from "../../support/site-folder";
import { leadsTo, readText } from "../../support/visitor";
import { openSite, signInAdmin } from "../support/world";
import { expectDone, expectPage, formOf } from "./support/pages";
import { confirmFor, openWorld } from "./support/world";

const path = "/admin/network";

const addressOf = (name: string) => `${name.toLowerCase()}@fund.example`;
/** Members of one kind, enough for two pages, and some in the other states. */
const members: NewMember[] = [
  ...Array.from({ length: 27 }, (_, n): NewMember => ({
    name: `Member ${n + 10}`,
    kind: n % 3 === 0 ? "fund" : "angel",
    fields: n % 2 === 0 ? ["ai"] : ["devices"],
  })),
  { name: "Admitted Ada", state: "admitted", kind: "lender", fields: ["ai", "wellness"] },
  { name: "Declined Dan", state: "declined" },
  { name: "Asking", state: "asked", email: addressOf("Asking") },
  { name: "=HYPERLINK(1)", company: "אור", state: "admitted" },
];
/** Members that tests change, one each. */
const reviewed = ["Weighed", "Contested", "Linked", "Removed", "Writing", "Stopping", "Paused"];

let ids: Map<string, string>;
let pausedToken: string;

const world = openWorld(async () => {
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
  return startSite({}, { dataDir });
});

const pageOf = (name: string) => `${path}/${ids.get(name)}`;
const namesOn = (html: string) =>
  [...html.matchAll(/<span class="member-person"><bdi>(.*?)<\/bdi>/g)].map(([, name]) => name);
const namesAt = async (query: string) => namesOn(await world.open(`${path}?${query}`));

/** Sends the form with a note, as it is shown now. */
async function review(name: string, intent: string, text: string) {
  const form = formOf(await world.open(pageOf(name)), "noted");
  return world.admin.post(pageOf(name), { ...form, intent, text });
}

describe("the list", () => {
  it("opens with people who wait for a review, in pages that lead back, with the number in each state", async () => {
    const first = await world.admin.get(path);
    expectPage(
      first,
      200,
      /To review \(34\).* Admitted \(2\).* Declined \(1\).* Not confirmed \(1\)/,
      "Left: 0",
      /Member 10, Member 10 Capital Venture or private equity firm \$25,000 to \$100,000 Clinical and administrative AI Confirmed \w{3} \d+, \d{4}/,
    );
    expect(first.html).toMatch(/<title>Investor network \|/);
    const second = await world.open(findTag(first.html, "a", { rel: "next" })?.attributes.href ?? "");
    expect(new Set([...namesOn(first.html), ...namesOn(second)]).size).toBe(34);
    expect(findTag(second, "a", { rel: "prev" })?.attributes.href).toBe(`${path}?filter=confirmed`);
    const beyond = await world.open(`${path}?filter=confirmed&page=900`);
    expect(readText(beyond)).toContain("No members here.");
    expect(findTag(beyond, "a", { rel: "prev" })?.attributes.href).toBe(`${path}?filter=confirmed&page=2`);
    expect(await world.read(`${path}?filter=admitted`)).toMatch(
      /Admitted Ada, Admitted Ada Capital Private credit lender .*Wellness and longevity Admitted \w{3} \d/,
    );
  });

  it("is filtered by kind and field through a plain form, and keeps both while changing tabs", async () => {
    const html = await world.open(`${path}?filter=confirmed&kind=fund&field=ai`);
    expect(namesOn(html).toSorted()).toEqual(["Member 10", "Member 16", "Member 22", "Member 28", "Member 34"]);
    expect(readText(html)).toContain("5 members match.");
    expect(html).toMatch(/<option value="fund" selected="">/);
    expect(html).toMatch(/<option value="ai" selected="">/);
    expect(html).toContain(`href="${path}?filter=admitted&amp;kind=fund&amp;field=ai"`);
    for (const query of ["filter=nonsense&page=-1", "kind=nonsense&field=__proto__", "kind=&field=&page=1e3"])
      expect([query, (await namesAt(query)).length]).toEqual([query, 25]);
  });

  it("searches all states, opens the first with a match, and keeps the term out of the URL", async () => {
    const sent = await world.admin.post(path, { intent: "search", search: "capital ADA" });
    const address = leadsTo(sent) ?? "";
    expect([sent.status, address]).toEqual([303, expect.stringMatching(/^\/admin\/network\?search=[\w-]+$/)]);
    const html = await world.open(address);
    expect(namesOn(html)).toEqual(["Admitted Ada"]);
    const list = `filter=admitted&${address.split("?")[1]}`;
    const { href = "" } = findTag(html, "a", { class: "member-row" })?.attributes ?? {};
    expect(await world.open(href.replaceAll("&amp;", "&"))).toContain(`href="${path}?${list.replace("&", "&amp;")}"`);
    expect(readText(html)).toContain("Showing results for “capital ADA”");
    expect(findTag(html, "form", { action: `${path}.csv?${list}` })).toBeDefined();
  });

  it("explains how people get into it while it is empty", async () => {
    const page = await (await signInAdmin(await openSite())).get(path);
    expectPage(page, 200, "No one has asked to join yet.");
    expect(findTag(page.html, "a", { href: "/contact?about=investors&want=network" })).toBeDefined();
    expect(page.html).not.toContain("Download as CSV");
  });
});

describe("a member's page", () => {
  it("shows everything kept, with isolated text", async () => {
    const html = await world.open(pageOf("=HYPERLINK(1)"));
    expect(html).toContain("<bdi>אור</bdi>");
    expect(html).toMatch(/<title>Investor =HYPERLINK\(1\) \|/);
    expectPage(
      await world.admin.get(pageOf("Member 10")),
      200,
      "State Confirmed",
      "Country or state Vermont",
      /\(not checked\) By net worth.* Asked to join/,
      /Log .*Confirmed the address, \w{3} \d.*, Member/,
    );
  });

  it.each([
    ["noted", "Met at\nthe fair", "memberNoted", /Note, \w{3} \d[^@]*admin@firm\.example\)? Met at the fair/],
    ["admitted", "", "memberAdmitted", /State Admitted .*Decided \w{3} \d.* Admitted, [^@]*admin@firm\.example/],
    ["declined", "Competes with us", "memberDeclined", /Declined, \w{3} \d.* Competes with us/],
  ])("shows that a member was %s, with the note %j, and mails nothing", async (intent, text, notice, log) => {
    const page = pageOf("Weighed");
    expectDone(await review("Weighed", intent, text), page, notice);
    expect(await world.read(page)).toMatch(log);
    expect(await world.read(page)).toContain("Neither Admit nor Decline sends an email.");
    expect(await world.mailsTo(addressOf("Weighed"))).toEqual([]);
  });

  it("admits no one who has not confirmed, and keeps the note", async () => {
    const page = await world.open(pageOf("Asking"));
    expect(readText(page)).toContain("once they have confirmed their address");
    expect(page).not.toContain('value="admitted"');
    const refused = await world.admin.post(pageOf("Asking"), { intent: "admitted", text: "A friend", seen: "0" });
    expect(refused.status).toBe(409);
    expect(refused.html).toMatch(/<textarea[^>]*readonly=""[^>]*>\n?A friend</);
  });

  it("applies nothing over a colleague's change, shows that change, and keeps the note", async () => {
    const shown = formOf(await world.open(pageOf("Contested")), "noted");
    await review("Contested", "declined", "Not our field");
    const text = "Good call today";
    const conflict = await world.admin.post(pageOf("Contested"), { ...shown, intent: "admitted", text });
    expect(conflict.status).toBe(409);
    const [, notice = ""] = /data-notice="error">(.*?)<div class="request-page"/s.exec(conflict.html) ?? [];
    expect(readText(notice)).toMatch(/was changed while the page was open.*Declined, .*Not our field/);
    expect(conflict.html).toContain(`${text}</textarea>`);
  });

  it.each([
    ["Linked", /^Your link to/],
    ["Asking", /^Please confirm/],
  ])("sends the link to %s again, once in ten minutes", async (name, subject) => {
    const sendLink = () => world.admin.post(pageOf(name), { intent: "sendLink" });
    expectDone(await sendLink(), pageOf(name), "memberLinkSent");
    expectPage(await sendLink(), 409, "less than 10 minutes ago");
    await expect.poll(() => world.read(pageOf(name))).toMatch(/New link to their page, .*admin@firm\.example.*sent/);
    await expect
      .poll(() => world.mailsTo(addressOf(name)))
      .toMatchObject([{ subject: expect.stringMatching(subject) }]);
  });

  it("says who stopped all mail, and sends them no link", async () => {
    const page = await world.open(pageOf("Stopping"));
    expect(readText(page)).toMatch(/Stopped all mail \w+ .*Gets no mail\. The entry is deleted 7 days later/);
    expect(page).not.toContain('value="sendLink"');
    expectPage(await world.admin.post(pageOf("Stopping"), { intent: "sendLink" }), 409, "stopped all mail, so");
    // The oldest are last.
    expect(await world.read(`${path}?page=2`)).toMatch(/Stopping, Stopping Capital (?:[^,]|,000)* Stopped mail /);
  });

  it("says whose mailbox returned mail, until the member wants it again", async () => {
    const reason = "Mail was returned: The mailbox does not exist.";
    expect(await world.read(pageOf("Paused"))).toContain(reason);
    const link = `/network?token=${pausedToken}`;
    const member = world.visitor();
    expectPage(await member.get(link), 200, /Mail to you was returned on .*: “The mailbox does not exist”/);
    await member.post(link, { token: pausedToken, intent: "resume" });
    expect(readText((await member.get(link)).html)).not.toContain("was returned");
    const after = await world.read(pageOf("Paused"));
    expect(after).not.toContain("Mail was returned: ");
    expect(after).toMatch(/Wants mail again, \w+ .*Member/);
  });

  it("is removed after a question on a separate page, and a recent sign-in", async () => {
    const address = pageOf("Removed");
    const remove = (fields: Record<string, string> = {}) => world.admin.post(address, { intent: "remove", ...fields });
    const confirm = confirmFor(address);
    world.ageSignIn();
    for (const confirmed of ["", "yes"]) expect(leadsTo(await remove({ confirmed }))).toBe(confirm);
    expect(leadsTo(await world.admin.post(confirm, { password: testAdmin.password }))).toBe(address);
    expectPage(await remove(), 200, "Remove from the network?");
    expectDone(await remove({ confirmed: "yes" }), path, "memberRemoved");
    expect(await world.read(path)).toContain("Left: 1");
    expect(await world.read("/admin/people")).toContain("removed a member of the investor network");
    const [, table = ""] =
      /<h3 id="network"(.*?)<\/details>/s.exec(await world.open("/admin/numbers?period=year")) ?? [];
    expect(readText(table)).toMatch(/Month Asked Confirmed Left .*Total 4 3 1/);
  });

  it("links to the messages from its address, and they link back", async () => {
    await world.write({ email: " Writing@Fund.example" });
    expect(await world.open("/admin")).toMatch(
      new RegExp(`href="${pageOf("Writing")}"[^>]*>Asked to join the investor network<`),
    );
    const [, message = ""] = /href="(\/admin\/messages\/[0-9a-f-]{36})/.exec(await world.open(pageOf("Writing"))) ?? [];
    expect(findTag(await world.open(message), "a", { href: pageOf("Writing") })).toBeDefined();
  });
});

it("downloads the filtered members, logs that, and leads a GET to the list", async () => {
  const download = (query: string, separator = "comma") => world.admin.post(`${path}.csv?${query}`, { separator });
  const { headers, html: csv } = await download("filter=admitted");
  expect(headers.get("content-disposition")).toBe('attachment; filename="investor-network-admitted.csv"');
  const forged = await download("filter=a%22%0d%0aX");
  expect(forged.headers.get("content-disposition")).toMatch(/^attachment; filename="investor-network-[a-z]+\.csv"$/);
  expect(csv).toContain('"Admitted Ada"');
  expect(csv).not.toContain("Declined Dan");
  expect((await download("filter=admitted&kind=lender&field=wellness")).html.split("\r\n")).toHaveLength(3);
  expect((await download("filter=admitted", "semicolon")).html).toContain('"Admitted Ada";"');
  expect((await download("", "pipe")).status).toBe(400);
  expect(await world.read("/admin/people")).toContain("downloaded members of the investor network");
  const list = "filter=admitted&kind=fund";
  expectDone(await world.admin.get(`${path}.csv?${list}`), `${path}?${list}`);
});
