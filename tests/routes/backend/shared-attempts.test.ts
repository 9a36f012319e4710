import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type HostedBackend, startHostedBackend } from "../../database/support/hosted-backend.ts";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";
import { proxyTo } from "../support/proxied-project";
import { type Answering, type StubProject, answerJson, hang, startStubProject } from "../support/stub-project";

/** More than the attempts of one account, which have a limit of their own. */
const postLimit = 8;

let backend: HostedBackend;
let project: StubProject;
let products: TestSite[] = [];

let working: Answering;

beforeAll(async () => {
  backend = await startHostedBackend();
  working = proxyTo(backend);
  project = await startStubProject(working);
});
afterAll(async () => {
  project?.close();
  await backend?.close();
});
beforeEach(async () => {
  await backend.sql("delete from private.rate_limits returning 1 as one");
  project.become(working);
  project.calls.length = 0;
  const settings = { ...project.settings, POST_RATE_LIMIT: String(postLimit), TRUSTED_PROXIES: "1" };
  products = await Promise.all([startSite(settings), startSite(settings)]);
});
afterEach(async () => {
  await Promise.all(products.map((product) => product.stop()));
});

let lastHost = 0;
const newAddress = () => ({ "X-Forwarded-For": `192.0.2.${++lastHost}` });
const on = (i: number) => new Visitor(products[i]?.url ?? "");
const wrong = { email: "owner@firm.example", password: "not the passphrase" };
const countCalls = () => project.calls.filter(({ path }) => path.endsWith("/count_attempt")).length;

describe("two processes on one database", () => {
  it("share a client's failed sign-ins, and admit the account's owner from elsewhere", async () => {
    const client = newAddress();
    for (const i of [0, 1, 0, 1, 0]) expect((await on(i).post("/login", wrong, client)).status).toBe(401);
    for (const i of [1, 0]) {
      const throttled = await on(i).post("/login", wrong, client);
      expect(throttled.status).toBe(429);
      expect(Number(throttled.headers.get("retry-after"))).toBeGreaterThan(60);
    }
    const calls = countCalls();
    expect((await on(0).post("/login", wrong, client)).status).toBe(429);
    // The client's attempts on this account are refused from memory. Its attempts on all accounts are counted and
    // refunded.
    expect(countCalls() - calls).toBe(2);
    expect((await on(1).post("/login", wrong, newAddress())).status).toBe(401);
  });

  it("share the last count of a process that stopped right after its response", async () => {
    const client = newAddress();
    for (let i = 0; i < 5; i++) expect((await on(0).post("/login", wrong, client)).status).toBe(401);
    await products[0]?.stop();
    expect((await on(1).post("/login", wrong, client)).status).toBe(429);
  });

  it("share a client's requests for a new password", async () => {
    const client = newAddress();
    const forgotten = (i: number) => on(i).post("/login/forgotten", { email: wrong.email }, client);
    for (const i of [0, 1, 0, 1, 0]) expect((await forgotten(i)).status).toBe(303);
    const refused = await forgotten(1);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
  });

  it("refund attempts in both processes when the sign-in service failed", async () => {
    project.become((call, response, request) =>
      (call.path.startsWith("/auth/") ? answerJson(500, {}) : working)(call, response, request),
    );
    const owner = newAddress();
    for (const i of [0, 1, 0, 1, 0, 1]) expect((await on(i).post("/login", wrong, owner)).status).toBe(503);
    const hits = await backend.sql<{ hits: number }>("select distinct hits from private.rate_limits where hits > 0");
    expect(hits).toEqual([]);
  });

  it("send the database nothing that identifies a client or an account", async () => {
    const address = newAddress();
    await on(0).post("/login", wrong, address);
    const sent = JSON.stringify(project.calls.filter(({ path }) => path.includes("/rpc/")));
    expect(sent).toContain("count_attempt");
    for (const value of [address["X-Forwarded-For"], wrong.email, "192.0.2"]) expect(sent).not.toContain(value);
  });

  it("count separately while the database hangs, and delay no form", async () => {
    project.become((call, response, request) =>
      (call.path.startsWith("/rest/") ? hang : working)(call, response, request),
    );
    const client = newAddress();
    for (let i = 0; i < 5; i++) expect((await on(0).post("/login", wrong, client)).status).toBe(401);
    expect((await on(0).post("/login", wrong, client)).status).toBe(429);
    const calls = countCalls();
    expect((await on(1).post("/contact", filledContactForm, client)).status).toBe(303);
    expect(countCalls()).toBe(calls);
  });

  it("count form posts separately, without calling the database", async () => {
    const busy = newAddress();
    for (let i = 0; i < postLimit; i++) expect((await on(0).post("/contact", { name: "x" }, busy)).status).toBe(400);
    const refused = await on(0).post("/contact", filledContactForm, busy);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(590);
    expect(readText(refused.html)).toContain("Your text is still here");
    expect(project.calls).toEqual([]);
    expect((await on(1).post("/contact", filledContactForm, busy)).status).toBe(303);
    expect(countCalls()).toBe(0);
  });
});
