import { describe, expect, it } from "vitest";
import { readAccountLink } from "../../support/account-links";
import { readMailsTo } from "../../support/data-rights";
import { filledJoinForm, joinAddress, readNetworkLink, tokenOf } from "../../support/network-links";
import { readTexts, readTitles } from "../../support/page-source";
import { testAdmin } from "../../support/site";
import { type Visitor, leadsTo, noticeOf, readText } from "../../support/visitor";
import { newClient, useSite } from "../support/world";

/** Longer than the site needs for any of these posts. */
const minimumMs = 500;
const settings = { TRUSTED_PROXIES: "1", ACKNOWLEDGEMENTS_PER_HOUR: "0" };
const site = useSite(settings, { timeouts: { accountResponse: minimumMs } });
const { email } = testAdmin;

const post = (path: string, fields: Record<string, string>, client = newClient()) => site.post(path, fields, client);
const ask =
  (path: string) =>
  (address: string, client = newClient()) =>
    post(path, { email: address }, client);
const askForPassword = ask("/login/forgotten");
const askToJoin = (address: string) => post(joinAddress, { ...filledJoinForm, email: address });
const choose = (link: string, password: string) => post(link, { token: tokenOf(link), password, repeated: password });

async function joinNetwork(address: string): Promise<string> {
  await askToJoin(address);
  const link = await readNetworkLink(site.dataDir, address);
  await post(link, { token: tokenOf(link), intent: "confirm", shown: "" });
  return link;
}

async function signIn(password: string): Promise<Visitor> {
  const admin = site.visitor();
  await admin.post("/login", { email, password }, newClient());
  return admin;
}

describe("a person who asks", () => {
  it.each<[string, string, (address: string) => ReturnType<Visitor["post"]>, unknown[]]>([
    ["for a password", email, askForPassword, [303, "/login", "passwordLinkSent", [], ""]],
    ["for a lost link", "loser@fund.example", ask("/network"), [303, "/network", "networkLinkSent", [], ""]],
    ["to join", "joiner@fund.example", askToJoin, [303, "/contact?about=investors", "contactSentJoining", [], ""]],
  ])("%s gets the same response after the same delay, known or not", async (_wish, known, send, expected) => {
    const link = known === email ? "/login" : await joinNetwork(known);
    for (const address of [known, "stranger@firm.example"]) {
      const begin = performance.now();
      const answer = await send(address);
      expect(performance.now() - begin).toBeGreaterThanOrEqual(minimumMs - 5);
      expect(answer.headers.get("location")).not.toMatch(/fund|firm/);
      const { status, headers, html } = answer;
      expect([status, leadsTo(answer), noticeOf(answer), headers.getSetCookie(), html]).toEqual(expected);
    }
    expect((await site.get(link)).status).toBe(200);
  });

  it.each(["/login/forgotten", "/network"])("at %s gets five links an hour, like any other client", async (path) => {
    const client = newClient();
    for (let i = 0; i < 5; i += 1) expect((await ask(path)("nobody@firm.example", client)).status).toBe(303);
    const { status, headers } = await ask(path)("nobody@firm.example", client);
    expect([status, Number(headers.get("retry-after")) > 600]).toEqual([429, true]);
    expect((await ask(path)("nobody@firm.example")).status).toBe(303);
  });
});

it("replaces a forgotten password through the emailed link, once, and ends every session of the account", async () => {
  expect((await site.get("/login/forgotten")).html).not.toContain("<script");
  const before = await readAccountLink(site.dataDir, email);
  const elsewhere = await signIn(testAdmin.password);
  await askForPassword(email);
  const link = await readAccountLink(site.dataDir, email, [before]);
  const page = await site.get(link);
  expect(readTitles(page.html)).toEqual(["Choose a password"]);
  expect(readText(page.html)).toContain(`Choose a new password for ${email}`);
  expect((await elsewhere.get("/admin")).status).toBe(200);

  const done = await choose(link, "a new phrase after that");
  expect([done.status, leadsTo(done)]).toEqual([303, "/login"]);
  expect(done.headers.getSetCookie().join()).not.toContain("admin-session");
  expect(leadsTo(await elsewhere.get("/admin"))).toBe("/login");
  for (const used of [before, link]) expect((await site.get(used)).status).toBe(404);
  expect((await (await signIn(testAdmin.password)).get("/admin")).status).toBe(303);
  const again = await signIn("a new phrase after that");
  expect(readText((await again.get("/admin/people")).html)).toContain("set a new password through a link");
  expect(await readMailsTo(site.dataDir, "nobody@firm.example")).toEqual([]);
  expect(site.output()).not.toMatch(/token=|a new phrase|stranger@|nobody@/);
});

it("says so when the link is the one of an admin's trial letter", async () => {
  const { status, headers, html } = await site.get("/network/mail?token=your-own-link");
  expect([status, ...readTexts(html, "h1")]).toEqual([200, "This is the link of a trial letter"]);
  expect(headers.get("x-robots-tag")).toBe("noindex");
  expect(html).toContain('href="/admin/network"');
});
