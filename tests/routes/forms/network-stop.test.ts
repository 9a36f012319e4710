import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { filledJoinForm, joinAddress, readNetworkLink, tokenOf } from "../../support/network-links";
import { type TestSite, startSite } from "../../support/site";
import { Visitor } from "../../support/visitor";

let site: TestSite;
let host = 0;
let from: Record<string, string>;
beforeAll(async () => {
  site = await startSite(
    { TRUSTED_PROXIES: "1", ACKNOWLEDGEMENTS_PER_HOUR: "0", POST_RATE_LIMIT: "20" },
    { timeouts: { accountResponse: 100 } },
  );
});
beforeEach(() => {
  // Each test uses its own address, so that none is throttled for another's posts.
  from = { "X-Forwarded-For": `203.0.113.${(host += 1)}` };
});
afterAll(() => site.stop());

let people = 0;
/** Asks to join, and returns the token of the mailed link. */
async function ask(): Promise<string> {
  const email = `stop-${(people += 1)}@fund.example`;
  await new Visitor(site.url).post(joinAddress, { ...filledJoinForm, email }, from);
  return tokenOf(await readNetworkLink(site.dataDir, email));
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
  const token = await ask();
  const answer = await stop(token);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(answer.headers.get("cache-control")).toContain("no-store");
  expect(answer.headers.get("set-cookie")).toBeNull();
  expect(await answer.text()).toMatch(/^You get no more email from the investor network of .+ in 7 days\./);
  // The second click of the same button.
  expect((await stop(token)).status).toBe(200);
  expect((await new Visitor(site.url).get(`/network?token=${token}`, from)).status).toBe(200);
});

it("needs no header at all", async () => {
  const token = await ask();
  const { hostname, port, host: own } = new URL(site.url);
  const socket = connect(Number(port), hostname);
  const body = "List-Unsubscribe=One-Click";
  socket.write(
    `POST /network/stop?token=${token} HTTP/1.1\r\nHost: ${own}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*You get no more email/);
});

it("accepts both encodings of RFC 8058, a foreign Origin, and another site's browser", async () => {
  const form = new FormData();
  form.set("List-Unsubscribe", "One-Click");
  const posts: RequestInit[] = [
    { body: form },
    { headers: { Origin: "https://mail.example" } },
    { headers: { Origin: "null", "Sec-Fetch-Site": "cross-site" } },
  ];
  for (const init of posts) expect((await stop(await ask(), init)).status).toBe(200);
});

it("does not reveal which tokens exist", async () => {
  const known = await (await stop(await ask())).text();
  for (const token of [newSecretToken(), "x", "", "%00", "'; drop"]) {
    const answer = await stop(token);
    expect([answer.status, await answer.text()]).toEqual([200, known]);
  }
});

it("leads a person who opens the address to their page, and changes nothing", async () => {
  const token = await ask();
  const answer = await fetch(`${site.url}/network/stop?token=${token}`, { redirect: "manual", headers: from });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `/network?token=${token}`]);
  expect(answer.headers.get("cache-control")).toContain("no-store");
});

it("refuses other methods, and a client that tries many tokens", async () => {
  expect((await stop("x", { method: "PUT" })).status).toBe(405);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 32; attempt += 1) statuses.push((await stop(newSecretToken())).status);
  expect(statuses[0]).toBe(200);
  const refused = await stop(newSecretToken());
  expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
});

it("writes no token to the log", () => {
  expect(site.output()).not.toMatch(/token=[\w-]{20}/);
});
