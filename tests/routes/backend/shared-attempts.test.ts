import { beforeEach, expect, it } from "vitest";
import { startSite, type TestSite } from "../../support/site";
import { Visitor } from "../../support/visitor";
import { useHostedProject } from "../support/proxied-project";
import { answerJson, hang } from "../support/stub-project";
import { newClient } from "../support/world";

const { backend, project, working } = useHostedProject();
/** two processes on one database */
let sites: TestSite[];

beforeEach(async () => {
  await backend.sql("delete from private.rate_limits returning 1 as one");
  project.become(working);
  project.calls.length = 0;
  // More posts than the attempts of one account, which have a limit of their own.
  const settings = { ...project.settings, POST_RATE_LIMIT: "8", TRUSTED_PROXIES: "1" };
  sites = await Promise.all([startSite(settings), startSite(settings)]);
  return () => Promise.all(sites.map((site) => site.stop()));
});

const wrong = { email: "owner@firm.example", password: "not the passphrase" };
const post = (site: number, client: Record<string, string>) =>
  new Visitor(sites[site]?.url ?? "").post("/login", wrong, client);
/** Fails to sign in at each of these sites in turn. @returns the statuses */
async function signIn(client: Record<string, string>, ...turns: number[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const site of turns) statuses.push((await post(site, client)).status);
  return statuses;
}
const countCalls = () => project.calls.filter(({ path }) => path.endsWith("/count_attempt")).length;

it("shares a client's failed sign-ins, refuses from memory, and admits the account's owner from elsewhere", async () => {
  const client = newClient();
  expect(await signIn(client, 0, 1, 0, 1, 0, 1, 0)).toEqual([401, 401, 401, 401, 401, 429, 429]);
  const calls = countCalls();
  const throttled = await post(0, client);
  expect([throttled.status, Number(throttled.headers.get("retry-after")) > 60]).toEqual([429, true]);
  // The client's attempts on this account are refused from memory. Its attempts on all accounts are counted and
  // refunded.
  expect(countCalls() - calls).toBe(2);
  expect(await signIn(newClient(), 1)).toEqual([401]);
});

it("shares the last count of a process that stopped right after its response", async () => {
  const client = newClient();
  await signIn(client, 0, 0, 0, 0, 0);
  await sites[0]?.stop();
  expect(await signIn(client, 1)).toEqual([429]);
});

it("refunds attempts in both processes when the sign-in service failed", async () => {
  project.become((call, response, request) =>
    (call.path.startsWith("/auth/") ? answerJson(500, {}) : working)(call, response, request),
  );
  expect(await signIn(newClient(), 0, 1, 0, 1, 0, 1)).toEqual(Array(6).fill(503));
  expect(await backend.sql("select hits from private.rate_limits where hits > 0")).toEqual([]);
});

it("sends the database nothing that identifies a client or an account", async () => {
  const client = newClient();
  await signIn(client, 0);
  const sent = JSON.stringify(project.calls.filter(({ path }) => path.includes("/rpc/")));
  expect(sent).toContain("count_attempt");
  for (const value of [client["X-Forwarded-For"], wrong.email]) expect(sent).not.toContain(value);
});

it("counts separately while the database hangs", async () => {
  project.become((call, response, request) =>
    (call.path.startsWith("/rest/") ? hang : working)(call, response, request),
  );
  expect(await signIn(newClient(), 0, 0, 0, 0, 0, 0)).toEqual([401, 401, 401, 401, 401, 429]);
});
