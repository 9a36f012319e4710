import { expect, it } from "vitest";
import { newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { withDatabaseOf } from "../../support/find-text";
import { readTexts } from "../../support/page-source";
import { makeSiteFolder } from "../../support/site-folder";
import { insertMembers, readTokens } from "../../support/network";
import { readNetworkLink, tokenOf } from "../../support/network-links";
import { type Answer, leadsTo, noticeOf, readText } from "../../support/visitor";
import { newClient, useSite } from "../support/world";

/** Members that tests change, one each. */
const names = Array.from({ length: 24 }, (_, n) => `Member ${n}`);
const emailOf = (name: string) => `${name.toLowerCase().replace(" ", "-")}@fund.example`;
const unused = names.values();

const dataDir = await makeSiteFolder();
const members = names.map((name) => ({ name, email: emailOf(name) }));
const [letters, pages] = await withDatabaseOf(dataDir, async (sql) => {
  await insertMembers(sql, members);
  return [await readTokens(sql, "letter"), await readTokens(sql, "page")] as const;
});
const settings = { TRUSTED_PROXIES: "1", ACKNOWLEDGEMENTS_PER_HOUR: "0", POST_RATE_LIMIT: "10" };
const site = useSite(settings, { dataDir, timeouts: { accountResponse: 100 } });

/** Takes a member whom no test has used. */
function takeMember() {
  const name = unused.next().value!;
  const [letter, page] = [letters.get(name)!, `/network?token=${pages.get(name)}`];
  return { name, email: emailOf(name), letter, page, mailPage: `/network/mail?token=${letter}` };
}

/** Posts as a mail program does, with what a test adds. */
const stop = (token: string, init: RequestInit = {}, client = newClient()) =>
  fetch(`${site.url}/network/stop?token=${token}`, {
    method: "POST",
    body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    redirect: "manual",
    ...init,
    headers: { ...client, ...(init.headers as Record<string, string> | undefined) },
  });

const get = (path: string) => site.get(path, newClient());
const post = (path: string, intent: string) => site.post(path, { token: tokenOf(path), intent }, newClient());
const describeAnswer = (answer: Answer) => [answer.status, leadsTo(answer), noticeOf(answer)];
const isStopped = async (page: string) => readText((await get(page)).html).includes("You stopped all mail");

it("stops all mail by a post that has nothing but the token, until the member resumes it", async () => {
  const { letter, page } = takeMember();
  const answer = await stop(letter);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(answer.headers.get("cache-control")).toContain("no-store");
  expect(answer.headers.get("set-cookie")).toBeNull();
  expect(await answer.text()).toMatch(/^You get no more email from the investor network of .+ in 7 days\./);
  // The second click of the same button.
  expect((await stop(letter)).status).toBe(200);
  expect(readText((await get(page)).html)).toMatch(
    /You stopped all mail on \w+ \d+, \d{4}\. .* delete your entry on \w+ \d+, \d{4}\./,
  );
  expect(describeAnswer(await post(page, "resume"))).toEqual([303, page, "networkResumed"]);
  expect(await isStopped(page)).toBe(false);
});

it("accepts both encodings of RFC 8058, a foreign Origin, and another site's browser", async () => {
  const form = new FormData();
  form.set("List-Unsubscribe", "One-Click");
  const posts: RequestInit[] = [
    { body: form },
    { headers: { Origin: "https://mail.example" } },
    { headers: { Origin: "null", "Sec-Fetch-Site": "cross-site" } },
  ];
  for (const init of posts) expect((await stop(takeMember().letter, init)).status).toBe(200);
});

it("changes nothing without the one-click form, as a scanner posts what it finds", async () => {
  const { letter, page } = takeMember();
  for (const body of [new URLSearchParams(), new URLSearchParams({ "List-Unsubscribe": "one-click" })])
    expect((await stop(letter, { body })).status).toBe(400);
  const plain = { body: "List-Unsubscribe=One-Click", headers: { "Content-Type": "text/plain" } };
  expect((await stop(letter, plain)).status).toBe(415);
  const data = await fetch(`${site.url}/network/stop.data?token=${letter}`, { method: "POST", headers: newClient() });
  expect(data.status).not.toBe(200);
  expect(await isStopped(page)).toBe(false);
});

it("stops for all members from one address, does not reveal which tokens exist, and limits unknown ones", async () => {
  const client = newClient();
  const statuses: number[] = [];
  for (let again = 0; again < 40; again += 1) statuses.push((await stop(letters.get("Member 23")!, {}, client)).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const known = await (await stop(takeMember().letter)).text();
  for (const token of [newSecretToken(), "A".repeat(64), tokenOf(takeMember().page), "x", "", "%00"]) {
    const answer = await stop(token);
    expect([answer.status, await answer.text()]).toEqual([200, known]);
  }
  for (let attempt = 0; attempt < 32; attempt += 1) await stop(newSecretToken(), {}, client);
  const refused = await stop(newSecretToken(), {}, client);
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
});

it("leads a person who opens the address to the page with the button, and changes nothing", async () => {
  const { letter, page, mailPage } = takeMember();
  const answer = await get(`/network/stop?token=${letter}`);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, mailPage]);
  expect(answer.headers.get("cache-control")).toContain("no-store");
  expect(await isStopped(page)).toBe(false);
});

it("shows neither name nor address to the reader of a forwarded letter, who can stop mail and nothing else", async () => {
  const { name, email, letter, page, mailPage } = takeMember();
  const shown = await get(mailPage);
  expect([shown.status, readTexts(shown.html, "h1")]).toEqual([200, ["Email from the investor network"]]);
  expect(shown.headers.get("x-robots-tag")).toBe("noindex");
  for (const secret of [name, email, "Capital", "Vermont"]) expect(shown.html).not.toContain(secret);
  const ownPage = `/network?token=${letter}`;
  expect((await get(ownPage)).status).toBe(404);
  for (const intent of ["leave", "confirm", "resume", "endLinks"])
    expect((await post(ownPage, intent)).status).toBe(404);
  expect((await post(mailPage, "leave")).status).toBe(400);
  expect((await get(page)).status).toBe(200);

  expect(describeAnswer(await post(mailPage, "stop"))).toEqual([303, mailPage, "networkStopped"]);
  expect(readText((await get(mailPage)).html)).toMatch(/no more since \w+ \d+, \d{4}/);
});

it("mails the link to the page to the member alone, for any reader of a letter who asks", async () => {
  const { email, page, mailPage } = takeMember();
  expect(describeAnswer(await post(mailPage, "link"))).toEqual([303, mailPage, "networkLinkMailed"]);
  expect((await get(await readNetworkLink(site.dataDir, email))).status).toBe(200);
  expect((await get(page)).status).toBe(404);
  const unknown = `/network/mail?token=${"A".repeat(64)}`;
  expect((await get(unknown)).status).toBe(404);
  for (const intent of ["link", "stop"]) expect((await post(unknown, intent)).status).toBe(404);
});
