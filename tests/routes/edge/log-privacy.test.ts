import { expect, it } from "vitest";
import { cookies } from "~/content/cookie-registry";
import { routes } from "~/routes";
import { filledDataRightsForm } from "../../support/data-rights";
import { startSite, testAdmin, type TestSite } from "../../support/site";
import { Visitor, filledContactForm } from "../../support/visitor";
import { choose, consentForm } from "../support/consent";
import { startStubProject } from "../support/stub-project";

/** A marker in everything that a visitor sends. If the product prints it, personal data leaks. */
const canary = "kanarienvogel";

it("logs nothing that a visitor sends", async () => {
  const site = await startSite();
  await sendCanaryEverywhere(site);
  const output = await readAll(site, ["acknowledgement", "request-acknowledgement", "request-firm"]);
  expect(output).toContain('"route":"/data-rights/status"');
  expect(findLeaks(output)).toEqual([]);
});

it("logs none of it after the backend has failed and quoted its input", async () => {
  const project = await startStubProject(({ body, path }, response) => {
    const quoted = { code: "22P02", message: `invalid ${canary} ${body}`, details: body, hint: path };
    response.writeHead(500, { "Content-Type": "application/json" }).end(JSON.stringify(quoted));
  });
  const site = await startSite(project.settings);
  await sendCanaryEverywhere(site);
  const output = await readAll(site, []);
  await project.close();
  expect(output).toContain('"level":"error"');
  expect(findLeaks(output)).toEqual([]);
});

it("logs no password, no session and no text of an admin", async () => {
  const site = await startSite();
  const admin = new Visitor(site.url);
  await admin.signIn();
  const session = admin.cookie("admin-session") ?? "";
  expect(session.length).toBeGreaterThan(50);
  await admin.get(`/admin?q=${canary}&filter=${canary}&before=${canary}`);
  await admin.post(`/admin/submissions.csv?q=${canary}`, { separator: "comma", note: canary });
  const missing = "/admin/requests/00000000-0000-4000-8000-000000000000";
  for (const path of [missing, `${missing}/package`]) await admin.get(path);
  const fields = ["id", "intent", "action", "note", "reason", "state"].map((name) => [name, canary]);
  for (const path of ["/admin", "/admin/requests", missing]) await admin.post(path, Object.fromEntries(fields));
  await new Visitor(site.url).post("/contact", { ...filledContactForm, name: canary, message: canary });
  const message = /\/admin\/messages\/[0-9a-f-]{36}/.exec((await admin.get("/admin")).html)?.[0] ?? "";
  const reply = { reply: crypto.randomUUID(), text: canary, snippet: canary };
  for (const intent of ["saveDraft", "insert", "send"]) await admin.post(message, { ...reply, intent });
  await admin.post(message, { ...reply, intent: "send", text: `Another ${canary}` });
  for (let time = 0; time < 2; time++)
    await admin.post("/admin/snippets", { intent: "save", name: canary, body: canary });
  expect((await admin.get(message)).html).toContain(">Activity</h3>");
  await admin.post("/logout", { [canary]: canary });
  await admin.post(message, { ...reply, intent: "send" });
  const output = await readAll(site, ["account", "reply"]);
  expect(findLeaks(output)).toEqual([]);
  for (const secret of [testAdmin.password, testAdmin.email, session.slice(0, 40), session.slice(-40)])
    expect(output).not.toContain(secret);
});

/** Finds lines with sent data or an address. All clients of these tests are on this machine. */
function findLeaks(output: string): string[] {
  const addresses = ["203.0.113.77", '127.0.0.1"', "::1", "::ffff"];
  const personal = [canary, ...addresses, "Mozilla", "undici", filledContactForm.company];
  return output.split("\n").filter((line) => personal.some((part) => line.toLowerCase().includes(part.toLowerCase())));
}

/**
 * Reads everything that a site prints until it has stopped, which waits for work after responses and for buffered
 * lines.
 * @param mails kinds of emails that must have been written before
 */
async function readAll(site: TestSite, mails: string[]): Promise<string> {
  for (const kind of mails) await expect.poll(site.output).toContain(`"kind":"${kind}"`);
  await site.stop();
  return site.output();
}

/** Sends the marker to every page, form, field, query, cookie, header and path that accepts input. */
async function sendCanaryEverywhere({ url }: TestSite): Promise<void> {
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
  for (const name of [...Object.values(cookies).map((cookie) => cookie.name), canary]) visitor.setCookie(name, canary);
  const paths = Object.keys(routes).map((route) => `/${route.replaceAll(/:\w+/g, canary)}`);
  for (const path of paths) {
    await visitor.get(
      `${path}?token=${canary}&q=${canary}&cookie-preferences=${canary}&notice=${canary}&${canary}`,
      headers,
    );
    await visitor.get(`${path === "/" ? "/_root" : path}.data?token=${canary}&_routes=${canary}`, headers);
  }
  for (const path of [`/assets/${canary}.js`, `/share/${canary}.png`, `/Admin/${canary}/`])
    await visitor.get(`${path}?${canary}`, headers);
  // A mail program may escape the characters between the path of a secret link and its token.
  for (const escaped of ["%3F", "%253f", "%3B", "%26", ";", "&"]) {
    await visitor.get(`/data-rights/status${escaped}token=${canary}`, headers);
    await visitor.get(`/data-rights${escaped}token=${canary}`, headers);
  }
  for (const path of [`/${canary}`, `/about/${canary}`, `/unsubscribe/${canary}@mail.example`]) {
    await visitor.get(path, headers);
  }

  const text = `${canary} <b>${canary}</b>\n${canary}`;
  const email = `${canary}@mail.example`;
  const contact = { ...filledContactForm, name: canary, email, company: canary, goal: canary, message: text };
  const dataRights = { ...filledDataRightsForm, name: canary, email, description: text };
  const forms: [string, Record<string, string>][] = [
    ["/contact", contact],
    ["/contact", { ...contact, topic: canary }],
    ["/contact", { ...contact, email: canary, stage: canary, privacyConsent: canary, [canary]: canary }],
    ["/data-rights", dataRights],
    ["/data-rights", { ...dataRights, topic: canary }],
    ["/data-rights", { ...dataRights, requestType: canary, email: canary }],
    ["/data-rights/confirm", { token: canary }],
    ["/data-rights/status", { token: canary }],
    [`/network?token=${canary}`, { token: canary, intent: "leave" }],
    [`/network/stop?token=${canary}`, { "List-Unsubscribe": "One-Click" }],
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
