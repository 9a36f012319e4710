import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type HostedBackend, startHostedBackend } from "../../database/support/hosted-backend.ts";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";
import { type Answering, type StubProject, answerJson, hang, startStubProject } from "../support/stub-project";

let backend: HostedBackend;
let project: StubProject;
let products: TestSite[] = [];

/** A project whose database is real; its sign-in service knows nobody, and its functions take everything. */
const working: Answering = async (call, response, request) => {
  if (call.path.startsWith("/functions/")) return answerJson(200, { ok: true })(call, response, request);
  if (call.path.startsWith("/auth/"))
    return answerJson(400, { error_code: "invalid_credentials", msg: "Invalid login credentials" })(
      call,
      response,
      request,
    );
  const headers = new Headers(call.headers as Record<string, string>);
  headers.set("apikey", backend.rest.publishableKey);
  headers.delete("authorization");
  const answer = await backend.rest.fetch(`http://project.localhost${call.path}`, {
    method: call.method,
    headers,
    body: call.body,
  });
  response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "text/plain" });
  response.end(Buffer.from(await answer.arrayBuffer()));
};

beforeAll(async () => {
  backend = await startHostedBackend();
  project = await startStubProject(working);
});
afterAll(async () => {
  project?.close();
  await backend?.close();
});
beforeEach(async () => {
  project.become(working);
  project.calls.length = 0;
  const settings = { ...project.settings, POST_RATE_LIMIT: "4", TRUSTED_PROXIES: "1" };
  products = await Promise.all([startSite(settings), startSite(settings)]);
});
afterEach(async () => {
  await Promise.all(products.map((product) => product.stop()));
});

let lastHost = 0;
const newAddress = () => ({ "X-Forwarded-For": `192.0.2.${++lastHost}` });
const on = (i: number) => new Visitor(products[i]?.url ?? "");
const countCalls = () => project.calls.filter(({ path }) => path.endsWith("/count_rate_limit_hits")).length;

describe("two processes on one database", () => {
  it("allow a client together what one of them would", async () => {
    const busy = newAddress();
    for (let i = 0; i < 4; i++) expect((await on(0).post("/contact", { name: "x" }, busy)).status).toBe(400);
    // The last of them is told behind its answer.
    await expect.poll(countTold).toBe(4);
    const refused = await on(1).post("/contact", filledContactForm, busy);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(590);
    expect(readText(refused.html)).toContain("Your text is still here");
    expect((await on(1).post("/contact", filledContactForm, newAddress())).status).toBe(303);

    const calls = countCalls();
    for (const i of [0, 1, 1]) expect((await on(i).post("/contact", { name: "x" }, busy)).status).toBe(429);
    expect(countCalls()).toBe(calls);
  });

  it("know what one of them counted last, although it was stopped right after its answer", async () => {
    const busy = newAddress();
    for (let i = 0; i < 4; i++) expect((await on(0).post("/contact", { name: "x" }, busy)).status).toBe(400);
    await products[0]?.stop();
    expect((await on(1).post("/contact", filledContactForm, busy)).status).toBe(429);
  });

  it("count a client's failed sign-ins together, and an account's owner from elsewhere is let in", async () => {
    const stranger = newAddress();
    const wrong = { email: "owner@firm.example", password: "not the passphrase" };
    for (const i of [0, 1, 0, 1, 0]) expect((await on(i).post("/login", wrong, stranger)).status).toBe(401);
    for (const i of [1, 0]) {
      const throttled = await on(i).post("/login", wrong, stranger);
      expect(throttled.status).toBe(429);
      expect(Number(throttled.headers.get("retry-after"))).toBeGreaterThan(60);
    }
    expect((await on(1).post("/login", wrong, newAddress())).status).toBe(401);
  });

  it("count visits of secret links together, and ask nobody about what is no token", async () => {
    const busy = newAddress();
    const visit = async (i: number, token: string) => {
      return (await on(i).get(`/data-rights/status?token=${token}`, busy)).status;
    };
    for (const token of ["", "x", "A".repeat(42), "A".repeat(129), `${"A".repeat(43)}%00A`]) {
      expect(await visit(0, token)).toBe(404);
    }
    expect(project.calls).toEqual([]);
    for (let i = 0; i < 30; i++) expect(await visit(0, "A".repeat(43))).toBe(404);
    await expect.poll(countTold).toBe(30);
    expect(await visit(1, "A".repeat(43))).toBe(429);
  });

  it("tell the database nothing that names a client or an account", async () => {
    const address = newAddress();
    await on(0).post("/contact", { name: "x" }, address);
    await on(0).post("/login", { email: "owner@firm.example", password: "not the passphrase" }, address);
    const told = JSON.stringify(project.calls.filter(({ path }) => path.includes("/rpc/")));
    expect(told).toContain("count_rate_limit_hits");
    for (const value of [address["X-Forwarded-For"], "owner@firm.example", "192.0.2"])
      expect(told).not.toContain(value);
  });

  it("count alone while the database hangs, and no form waits long for that", async () => {
    project.become((call, response, request) =>
      (call.path.startsWith("/rest/") ? hang : working)(call, response, request),
    );
    const busy = newAddress();
    const post = async (i: number, form: Record<string, string>) => {
      const begin = performance.now();
      const { status } = await on(i).post("/contact", form, busy);
      // A call of the backend takes two seconds to give up.
      expect(performance.now() - begin).toBeLessThan(1_500);
      return status;
    };
    for (let i = 0; i < 4; i++) expect(await post(0, { name: "x" })).toBe(400);
    expect(await post(0, { name: "x" })).toBe(429);
    expect(await post(1, filledContactForm)).toBe(303);
    const wrong = { email: "else@firm.example", password: "not the passphrase" };
    expect((await on(0).post("/login", wrong, newAddress())).status).toBe(401);
  });
});

/** All hits that the database knows, of every client. */
async function countTold(): Promise<number | undefined> {
  const [row] = await backend.sql<{ n: number }>("select max(hits)::int as n from private.rate_limits");
  return row?.n;
}
