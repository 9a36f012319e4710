import { expect, it } from "vitest";
import { startSite, testAdmin, type TestSite } from "../../support/site";
import { Visitor, filledContactForm } from "../../support/visitor";
import { canary, sendCanaryEverywhere } from "../support/canary";
import { startStubProject } from "../support/stub-project";

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
