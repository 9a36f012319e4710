import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readMailsTo } from "../../support/data-rights";
import { filledJoinForm, joinAddress, readNetworkLink, tokenOf } from "../../support/network-links";
import { findTag, readTexts } from "../../support/page-source";
import { type TestSite, startSite } from "../../support/site";
import { Visitor, leadsTo, noticeOf, readText } from "../../support/visitor";

/** Longer than the site needs for any of these posts. */
const minimumMs = 500;

let site: TestSite;
let visitor: Visitor;
let host = 0;
let from: Record<string, string>;
beforeAll(async () => {
  site = await startSite(
    { TRUSTED_PROXIES: "1", ACKNOWLEDGEMENTS_PER_HOUR: "0" },
    { timeouts: { accountResponse: minimumMs } },
  );
});
beforeEach(() => {
  visitor = new Visitor(site.url);
  // Each test uses its own address, so that none is throttled for another's posts.
  from = { "X-Forwarded-For": `203.0.113.${(host += 1)}` };
});
afterAll(() => site.stop());

let people = 0;
const newEmail = () => `member-${(people += 1)}@fund.example`;

const ask = (email: string) => visitor.post(joinAddress, { ...filledJoinForm, email }, from);

async function join(email: string): Promise<string> {
  await ask(email);
  const link = await readNetworkLink(site.dataDir, email);
  await visitor.post(link, { token: tokenOf(link), intent: "confirm", shown: "" }, from);
  return link;
}

const askForLink = (email: string, headers = from) => visitor.post("/network", { email }, headers);

describe("a lost link", () => {
  it("is requested without a token, on a page that is not indexed and sets no cookie", async () => {
    const page = await visitor.get("/network", from);
    expect([page.status, page.headers.get("x-robots-tag"), page.headers.get("set-cookie")]).toEqual([
      200,
      "noindex",
      null,
    ]);
    expect(readTexts(page.html, "h1")).toEqual(["Investor network"]);
    expect(page.html).not.toContain("<script");
    expect((await visitor.get("/sitemap.xml")).html).not.toContain("/network");
  });

  it("gets the same response after the same delay for known and unknown addresses", async () => {
    const [member, unconfirmed, stranger] = [newEmail(), newEmail(), newEmail()];
    const link = await join(member);
    await ask(unconfirmed);
    const answers = [];
    for (const email of [member, unconfirmed, stranger]) {
      const begin = performance.now();
      const answer = await askForLink(email);
      expect(performance.now() - begin).toBeGreaterThanOrEqual(minimumMs - 5);
      answers.push([answer.status, leadsTo(answer), noticeOf(answer), answer.headers.getSetCookie(), answer.html]);
      expect(answer.headers.get("location")).not.toContain("fund");
    }
    expect(answers[0]).toEqual([303, "/network", "networkLinkSent", [], ""]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await readMailsTo(site.dataDir, stranger)).toEqual([]);
    expect((await visitor.get(link, from)).status).toBe(200);
  });

  it.each([
    ["", "Enter your email address"],
    ["nobody", "Enter an email address in the correct format"],
    ["ada@gmial.com", "Did you mean ada@gmail.com?"],
  ])("keeps a wrong address: %s", async (email, mistake) => {
    const { status, html } = await askForLink(email);
    expect(status).toBe(400);
    expect(readText(html)).toContain(mistake);
    expect(findTag(html, "input", { name: "email" })?.attributes.value ?? "").toBe(email);
  });

  it("is limited per client, with the address kept", async () => {
    const statuses = [];
    let last = await askForLink(newEmail());
    for (let i = 0; i < 5; i += 1) {
      statuses.push(last.status);
      last = await askForLink("kept@fund.example");
    }
    expect([...new Set(statuses)]).toEqual([303]);
    expect([last.status, Number(last.headers.get("retry-after")) > 600]).toEqual([429, true]);
    expect(last.html).toContain('value="kept@fund.example"');
    expect((await askForLink(newEmail(), { "X-Forwarded-For": "198.51.100.7" })).status).toBe(303);
  });
});

it("tells a stranger nothing about an address that asks to join again", async () => {
  const member = newEmail();
  await join(member);
  const answers = [];
  for (const email of [member, newEmail()]) {
    const begin = performance.now();
    const answer = await ask(email);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(minimumMs - 5);
    answers.push([answer.status, leadsTo(answer), noticeOf(answer), answer.html]);
  }
  expect(answers[0]).toEqual(answers[1]);
});

it("says so when the link is the one of an admin's trial letter", async () => {
  const page = await visitor.get("/network/mail?token=your-own-link", from);
  expect([page.status, ...readTexts(page.html, "h1")]).toEqual([200, "This is the link of a trial letter"]);
  expect(page.headers.get("x-robots-tag")).toBe("noindex");
  expect(page.html).toContain('href="/admin/network"');
});
