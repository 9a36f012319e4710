import { expect, it } from "vitest";
import { filledJoinForm, joinAddress, readNetworkLink, tokenOf } from "../../support/network-links";
import { readTexts, readTitles } from "../../support/page-source";
import { type Visitor, leadsTo, noticeOf } from "../../support/visitor";
import { newClient, useSite } from "../support/world";

/** Longer than the site needs for any of these posts. */
const minimumMs = 500;
const settings = { TRUSTED_PROXIES: "1", ACKNOWLEDGEMENTS_PER_HOUR: "0" };
const site = useSite(settings, { timeouts: { accountResponse: minimumMs } });

let people = 0;
const newEmail = () => `member-${(people += 1)}@fund.example`;
const post = (path: string, fields: Record<string, string>, client = newClient()) => site.post(path, fields, client);
const ask = (email: string) => post(joinAddress, { ...filledJoinForm, email });

async function join(email: string): Promise<string> {
  await ask(email);
  const link = await readNetworkLink(site.dataDir, email);
  await post(link, { token: tokenOf(link), intent: "confirm", shown: "" });
  return link;
}

it("requests a lost link on a page that is not indexed, sets no cookie and has no script", async () => {
  const { status, headers, html } = await site.get("/network");
  expect([status, headers.get("x-robots-tag"), headers.get("set-cookie")]).toEqual([200, "noindex", null]);
  expect([readTexts(html, "h1"), readTitles(html)]).toEqual([["Investor network"], ["Investor network"]]);
  expect(html).not.toContain("<script");
});

it.each<[string, (email: string) => ReturnType<Visitor["post"]>, unknown[]]>([
  ["asks for a lost link", (email) => post("/network", { email }), [303, "/network", "networkLinkSent", ""]],
  ["asks to join", ask, [303, "/contact?about=investors", "contactSentJoining", ""]],
])("gives a member and a stranger who %s the same response after the same delay", async (_wish, send, expected) => {
  const member = newEmail();
  const link = await join(member);
  for (const email of [member, newEmail()]) {
    const begin = performance.now();
    const answer = await send(email);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(minimumMs - 5);
    expect(answer.headers.get("location")).not.toContain("fund");
    expect([answer.status, leadsTo(answer), noticeOf(answer), answer.html]).toEqual(expected);
  }
  expect((await site.get(link)).status).toBe(200);
});

it("limits a client's requests for a link, and keeps the address", async () => {
  const client = newClient();
  for (let i = 0; i < 5; i += 1) expect((await post("/network", { email: newEmail() }, client)).status).toBe(303);
  const last = await post("/network", { email: "kept@fund.example" }, client);
  expect([last.status, Number(last.headers.get("retry-after")) > 600]).toEqual([429, true]);
  expect(last.html).toContain('value="kept@fund.example"');
  expect((await post("/network", { email: newEmail() })).status).toBe(303);
});

it("says so when the link is the one of an admin's trial letter", async () => {
  const { status, headers, html } = await site.get("/network/mail?token=your-own-link");
  expect([status, ...readTexts(html, "h1")]).toEqual([200, "This is the link of a trial letter"]);
  expect(headers.get("x-robots-tag")).toBe("noindex");
  expect(html).toContain('href="/admin/network"');
});
