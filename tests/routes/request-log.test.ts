import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sitePages } from "~/content/site-pages";
import { filledDataRightsForm } from "../support/data-rights";
import { type Product, startProduct, testAdmin } from "../support/product";
import { Visitor, filledContactForm } from "../support/visitor";
import { choose, consentForm } from "./support/consent";
import { startHostedStub } from "./support/hosted-stub";

/** Stands in everything that a visitor sends; wherever it turns up in what the product prints, something leaks. */
const canary = "kanarienvogel";

interface Line {
  event: string;
  route?: string;
  [detail: string]: unknown;
}

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});

afterAll(async () => {
  await product.stop();
});

describe("the line of a request", () => {
  it("says what an operator needs and no more, for every kind of answer", async () => {
    const visitor = new Visitor(product.url);
    await visitor.get("/growth-stage?rendered");
    await visitor.get("/growth-stage");
    await visitor.post("/contact", { name: "" });
    await visitor.get("/admin/requests/0b1f");
    await visitor.get("/Growth-Stage");
    await visitor.get("/favicon.svg");
    await visitor.get("/no/such/page");
    await fetch(product.url, { method: "DELETE" });
    const lines = await readRequests(product, 8);
    for (const line of lines) {
      expect(Object.keys(line)).toEqual([
        "time",
        "level",
        "event",
        "requestId",
        "route",
        "method",
        "status",
        "durationMs",
        "bytes",
      ]);
      expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(line.requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(line.durationMs).toBeGreaterThanOrEqual(0);
    }
    expect(lines.map(({ route, method, status }) => [route, method, status])).toEqual([
      ["/growth-stage", "GET", 200],
      ["/growth-stage", "GET", 200],
      ["/contact", "POST", 400],
      ["/admin/requests/:requestId", "GET", 303],
      ["(redirect)", "GET", 308],
      ["(file)", "GET", 200],
      ["/*", "GET", 404],
      ["(refused)", "DELETE", 405],
    ]);
    expect(new Set(lines.map(({ requestId }) => requestId)).size).toBe(8);
    for (const { bytes } of lines.slice(0, 2)) expect(bytes).toBeGreaterThan(1_000);
  });

  it("has the number that the answer carries, where it was made for one visitor", async () => {
    const { headers } = await new Visitor(product.url).get("/contact");
    const requestId = headers.get("x-request-id");
    await expect.poll(product.output).toContain(`"requestId":"${requestId}","route":"/contact"`);
  });

  it("is written even if the visitor did not wait, or did not speak HTTP", async () => {
    const { port } = new URL(product.url);
    const impatient = connect(Number(port), "localhost");
    impatient.write(`GET /investors?rendered HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
    await wait(3);
    impatient.destroy();
    const broken = connect(Number(port), "localhost");
    broken.write(`${canary}\r\n\r\n`);
    broken.resume();
    await once(broken, "close");
    await expect.poll(product.output).toMatch(/"route":"\(broken\)","method":"","status":400/);
    expect(product.output()).not.toContain(canary);
  });

  it("is still written for the last request before the end", async () => {
    const other = await startProduct();
    await fetch(`${other.url}/value`);
    await other.stop();
    expect(other.output()).toMatch(/"route":"\/value"/);
  });
});

describe("what the product prints", () => {
  it("holds nothing that a visitor sent, whatever they send and wherever they write it", async () => {
    await sendEverywhere(product);
    const output = await settled(product);
    expect(output).toContain('"route":"/data-rights/status"');
    expect(findLeaks(output)).toEqual([]);
  });

  it("holds nothing of it either when the backend fails and quotes what it was sent", async () => {
    const stub = await startHostedStub(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const quoted = { code: "22P02", message: `invalid ${canary} ${body}`, details: body, hint: request.url };
      response.writeHead(500, { "Content-Type": "application/json" }).end(JSON.stringify(quoted));
    });
    const troubled = await startProduct(stub.settings);
    await sendEverywhere(troubled);
    const output = await settled(troubled);
    expect(output).toContain('"level":"error"');
    expect(findLeaks(output)).toEqual([]);
    await troubled.stop();
    stub.close();
  });

  it("holds no password and no session of the admin's", async () => {
    const admin = new Visitor(product.url);
    await admin.signIn();
    const session = admin.cookie("admin-session") ?? "";
    expect(session.length).toBeGreaterThan(50);
    await admin.get(`/admin?q=${canary}&folder=${canary}&before=${canary}`);
    await admin.get(`/admin/submissions.csv?q=${canary}`);
    const missing = "/admin/requests/00000000-0000-4000-8000-000000000000";
    await admin.get(missing);
    await admin.get(`${missing}/package`);
    for (const path of ["/admin", "/admin/requests", missing]) {
      await admin.post(path, {
        id: canary,
        intent: canary,
        action: canary,
        note: canary,
        reason: canary,
        state: canary,
      });
    }
    await admin.post("/logout", { [canary]: canary });
    const output = await settled(product);
    expect(findLeaks(output)).toEqual([]);
    for (const secret of [testAdmin.password, testAdmin.email, session.slice(0, 40), session.slice(-40)]) {
      expect(output).not.toContain(secret);
    }
  });
});

/** Every page, form, field, query, cookie, header and path that takes something. */
async function sendEverywhere({ url }: Product): Promise<void> {
  const headers = {
    "User-Agent": `Mozilla ${canary}`,
    Referer: `http://localhost/${canary}`,
    "Accept-Language": canary,
    "X-Forwarded-For": `${canary}, 203.0.113.77`,
    "X-Forwarded-Host": `${canary}.example`,
    "X-Request-Id": canary,
    Authorization: `Bearer ${canary}`,
    [`X-${canary}`]: canary,
  };
  const visitor = new Visitor(url);
  for (const name of ["flash", "consent_session", "consent-preference", "admin-session", "known-device", canary]) {
    visitor.setCookie(name, canary);
  }
  const own = ["/login", "/admin", "/logout", "/consent", "/data-rights/confirm", "/data-rights/status", "/robots.txt"];
  const paths = [...sitePages.map(({ path }) => path), ...own];
  for (const path of paths) {
    await visitor.get(`${path}?token=${canary}&q=${canary}&cookie-preferences=${canary}&${canary}`, headers);
    await visitor.get(`${path === "/" ? "/_root" : path}.data?token=${canary}&_routes=${canary}`, headers);
  }
  for (const path of [
    `/admin/requests/${canary}`,
    `/assets/${canary}.js`,
    `/share/${canary}.png`,
    `/Admin/${canary}/`,
  ]) {
    await visitor.get(`${path}?${canary}`, headers);
  }
  // The path of a missing page is logged on purpose (specification, section 3); an address in it is not.
  await visitor.get(`/unsubscribe/${canary}@mail.example`, headers);

  const text = `${canary} <b>${canary}</b>\n${canary}`;
  const email = `${canary}@mail.example`;
  const contact = { ...filledContactForm, name: canary, email, company: canary, goal: canary, message: text };
  const dataRights = { ...filledDataRightsForm, name: canary, email, description: text };
  const forms: [string, Record<string, string>][] = [
    ["/contact", contact],
    ["/contact", { ...contact, honeypot: canary }],
    ["/contact", { ...contact, email: canary, stage: canary, privacyConsent: canary, [canary]: canary }],
    ["/data-rights", dataRights],
    ["/data-rights", { ...dataRights, honeypot: canary }],
    ["/data-rights", { ...dataRights, requestType: canary, email: canary }],
    ["/data-rights/confirm", { token: canary }],
    ["/data-rights/status", { token: canary }],
    ["/login", { email, password: canary }],
    ["/login", { email: canary, password: "" }],
    ["/consent", consentForm(canary, { version: canary, page: `/${canary}` })],
    ["/logout", { [canary]: canary }],
    [`/${canary}@mail.example`, { [canary]: canary }],
  ];
  for (const [path, fields] of forms) {
    await visitor.post(`${path}?${canary}=${canary}`, fields, headers);
    await visitor.post(path, fields, { ...headers, Origin: `https://${canary}.example` });
  }
  for (const choice of ["accept", "reject"] as const) await choose(visitor, choice);
  for (const type of ["application/json", "multipart/form-data; boundary=x", canary]) {
    const body = JSON.stringify({ [canary]: canary });
    await fetch(`${url}/contact?${canary}`, { method: "POST", body, headers: { "Content-Type": type, Origin: url } });
  }
}

/** Lines that hold what was sent, or an address: the clients of these tests are all on this machine. */
function findLeaks(output: string): string[] {
  const personal = [
    canary,
    "203.0.113.77",
    '127.0.0.1"',
    "::1",
    "::ffff",
    "Mozilla",
    "undici",
    filledContactForm.company,
  ];
  return output.split("\n").filter((line) => personal.some((part) => line.toLowerCase().includes(part.toLowerCase())));
}

/** Everything printed, once the lines that wait and the work behind the answers have come. */
async function settled({ output }: Product): Promise<string> {
  for (let before = -1; before !== output().length;) {
    before = output().length;
    await wait(1_000);
  }
  return output();
}

async function readRequests({ output }: Product, count: number): Promise<Line[]> {
  const read = () =>
    output()
      .split("\n")
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line) => JSON.parse(line) as Line)
      .filter(({ event }) => event === "request");
  await expect.poll(() => read().length).toBeGreaterThanOrEqual(count);
  return read().slice(0, count);
}
