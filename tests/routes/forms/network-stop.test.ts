import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { withDatabaseOf } from "../../support/find-text";
import { readTexts } from "../../support/page-source";
import { makeSiteFolder } from "../../support/site-folder";
import { insertMembers, readTokens } from "../../support/network";
import { readNetworkLink } from "../../support/network-links";
import { type TestSite, startSite } from "../../support/site";
import { Visitor, leadsTo, noticeOf, readText } from "../../support/visitor";

/** Members that tests change, one each. */
const names = Array.from({ length: 24 }, (_, n) => `Member ${n}`);
const emailOf = (name: string) => `${name.toLowerCase().replace(" ", "-")}@fund.example`;
const unused = names.values();

let site: TestSite;
let visitor: Visitor;
let letters: Map<string, string>;
let pages: Map<string, string>;
let host = 0;
let from: Record<string, string>;
beforeAll(async () => {
  const dataDir = await makeSiteFolder();
  await withDatabaseOf(dataDir, async (sql) => {
    await insertMembers(
      sql,
      names.map((name) => ({ name, email: emailOf(name) })),
    );
    letters = await readTokens(sql, "letter");
    pages = await readTokens(sql, "page");
  });
  site = await startSite(
    { TRUSTED_PROXIES: "1", ACKNOWLEDGEMENTS_PER_HOUR: "0", POST_RATE_LIMIT: "10" },
    { dataDir, timeouts: { accountResponse: 100 } },
  );
});
beforeEach(() => {
  visitor = new Visitor(site.url);
  // Each test uses its own address, so that none is throttled for another's posts.
  from = { "X-Forwarded-For": `203.0.113.${(host += 1)}` };
});
afterAll(() => site.stop());

/** Takes a member whom no test has used. */
function takeMember() {
  const name = unused.next().value!;
  return { name, email: emailOf(name), letter: letters.get(name)!, page: `/network?token=${pages.get(name)}` };
}

/** Posts as a mail program does, with what a test adds. */
const stop = (token: string, init: RequestInit = {}) =>
  fetch(`${site.url}/network/stop?token=${token}`, {
    method: "POST",
    body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    redirect: "manual",
    ...init,
    headers: { ...from, ...(init.headers as Record<string, string> | undefined) },
  });

it("stops all mail by a post that has nothing but the token", async () => {
  const { letter, page } = takeMember();
  const answer = await stop(letter);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(answer.headers.get("cache-control")).toContain("no-store");
  expect(answer.headers.get("set-cookie")).toBeNull();
  expect(await answer.text()).toMatch(/^You get no more email from the investor network of .+ in 7 days\./);
  // The second click of the same button.
  expect((await stop(letter)).status).toBe(200);
  const shown = readText((await visitor.get(page, from)).html);
  expect(shown).toMatch(/You stopped all mail on \w+ \d+, \d{4}\. .* delete your entry on \w+ \d+, \d{4}\./);
  const [stopped = "", deleted = ""] = shown.match(/\w+ \d+, \d{4}(?=\.)/g) ?? [];
  expect(Math.round((Date.parse(deleted) - Date.parse(stopped)) / 86_400_000)).toBe(7);
  const token = page.split("token=")[1]!;
  const resumed = await visitor.post(page, { token, intent: "resume" }, from);
  expect([leadsTo(resumed), noticeOf(resumed)]).toEqual([page, "networkResumed"]);
  expect(readText((await visitor.get(page, from)).html)).not.toContain("You stopped all mail");
});

it("needs no header but the type of the form", async () => {
  const { letter } = takeMember();
  const { hostname, port, host: own } = new URL(site.url);
  const body = "List-Unsubscribe=One-Click";
  const send = async (type: string) => {
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /network/stop?token=${letter} HTTP/1.1\r\nHost: ${own}\r\n${type}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    return text(socket);
  };
  expect(await send("Content-Type: application/x-www-form-urlencoded\r\n")).toMatch(
    /^HTTP\/1\.1 200 [\s\S]*You get no more email/,
  );
  expect(await send("")).toMatch(/^HTTP\/1\.1 415 /);
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
  const posts: [RequestInit, number][] = [
    [{ body: new URLSearchParams() }, 400],
    [{ body: new URLSearchParams({ "List-Unsubscribe": "one-click" }) }, 400],
    [{ body: "List-Unsubscribe=One-Click", headers: { "Content-Type": "text/plain" } }, 415],
    [{ body: "{}", headers: { "Content-Type": "application/json" } }, 415],
  ];
  for (const [init, status] of posts) {
    expect((await stop(letter, init)).status).toBe(status);
  }
  const data = await fetch(`${site.url}/network/stop.data?token=${letter}`, { method: "POST", headers: from });
  expect(data.status).not.toBe(200);
  expect(readText((await visitor.get(page, from)).html)).not.toContain("You stopped all mail");
});

it("stops for twelve members from one address, one after another, and again", async () => {
  const statuses: number[] = [];
  for (const name of names.slice(-12)) statuses.push((await stop(letters.get(name)!)).status);
  for (let again = 0; again < 20; again += 1) statuses.push((await stop(letters.get(names.at(-1)!)!)).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

it("does not reveal which tokens exist", async () => {
  const { letter, page } = takeMember();
  const known = await (await stop(letter)).text();
  for (const token of [newSecretToken(), "A".repeat(64), page.split("token=")[1]!, "x", "", "%00", "'; drop"]) {
    const answer = await stop(token);
    expect([answer.status, await answer.text()]).toEqual([200, known]);
  }
});

it("leads a person who opens the address to the page with the button, and changes nothing", async () => {
  const { letter, page } = takeMember();
  const answer = await fetch(`${site.url}/network/stop?token=${letter}`, { redirect: "manual", headers: from });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `/network/mail?token=${letter}`]);
  expect(answer.headers.get("cache-control")).toContain("no-store");
  expect(readText((await visitor.get(page, from)).html)).not.toContain("You stopped all mail");
});

it("shows neither name nor address to the reader of a forwarded letter, who can stop mail and nothing else", async () => {
  const { name, email, letter, page } = takeMember();
  const address = `/network/mail?token=${letter}`;
  const shown = await visitor.get(address, from);
  expect([shown.status, readTexts(shown.html, "h1")]).toEqual([200, ["Email from the investor network"]]);
  expect(shown.headers.get("x-robots-tag")).toBe("noindex");
  for (const secret of [name, email, "Capital", "Vermont"]) expect(shown.html).not.toContain(secret);
  expect((await visitor.get(`/network?token=${letter}`, from)).status).toBe(404);
  for (const intent of ["leave", "confirm", "resume", "endLinks"])
    expect((await visitor.post(`/network?token=${letter}`, { token: letter, intent }, from)).status).toBe(404);
  expect((await visitor.post(address, { token: letter, intent: "leave" }, from)).status).toBe(400);
  expect((await visitor.get(page, from)).status).toBe(200);

  const stopped = await visitor.post(address, { token: letter, intent: "stop" }, from);
  expect([stopped.status, leadsTo(stopped), noticeOf(stopped)]).toEqual([303, address, "networkStopped"]);
  expect(readText((await visitor.get(address, from)).html)).toMatch(/no more since \w+ \d+, \d{4}/);
  const foreign = { ...from, Origin: "https://evil.example" };
  expect((await visitor.post(address, { token: letter, intent: "stop" }, foreign)).status).toBe(403);
});

it("mails the link to the page to the member alone, for any reader of a letter who asks", async () => {
  const { email, letter, page } = takeMember();
  const address = `/network/mail?token=${letter}`;
  const asked = await visitor.post(address, { token: letter, intent: "link" }, from);
  expect([asked.status, leadsTo(asked), noticeOf(asked)]).toEqual([303, address, "networkLinkMailed"]);
  const link = await readNetworkLink(site.dataDir, email);
  expect((await visitor.get(link, from)).status).toBe(200);
  expect((await visitor.get(page, from)).status).toBe(404);
  for (const unknown of ["A".repeat(64), newSecretToken()]) {
    const there = `/network/mail?token=${unknown}`;
    expect((await visitor.get(there, from)).status).toBe(404);
    for (const intent of ["link", "stop"])
      expect((await visitor.post(there, { token: unknown, intent }, from)).status).toBe(404);
  }
});

it("refuses other methods, and a client that tries many tokens", async () => {
  expect((await stop("x", { method: "PUT" })).status).toBe(405);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 32; attempt += 1) statuses.push((await stop(newSecretToken())).status);
  expect(statuses[0]).toBe(200);
  const refused = await stop(newSecretToken());
  expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
});

it("writes no token to the log", async () => {
  const { letter, page } = takeMember();
  await stop(letter);
  await visitor.get(page, from);
  for (const route of ["/network/stop", "/network"])
    await expect.poll(() => site.output()).toContain(`"route":"${route}"`);
  for (const token of [letter, page.split("token=")[1]!]) expect(site.output()).not.toContain(token);
});
