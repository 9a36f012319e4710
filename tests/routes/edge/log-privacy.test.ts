import { describe, expect, it, onTestFinished } from "vitest";
import { startSite, testAdmin, type TestSite } from "../../support/site";
import { Visitor, filledContactForm } from "../../support/visitor";
import { canary, sendCanaryEverywhere } from "../support/canary";
import { startStubProject } from "../support/stub-project";

describe("the product's output", () => {
  it("contains nothing that a visitor sends", async () => {
    const product = await start();
    await sendCanaryEverywhere(product);
    const output = await readAll(product, ["acknowledgement", "request-acknowledgement", "request-firm"]);
    expect(output).toContain('"route":"/data-rights/status"');
    expect(findLeaks(output)).toEqual([]);
  });

  it("contains none of it after the backend has failed and quoted its input", async () => {
    const project = await startStubProject(({ body, path }, response) => {
      const quoted = { code: "22P02", message: `invalid ${canary} ${body}`, details: body, hint: path };
      response.writeHead(500, { "Content-Type": "application/json" }).end(JSON.stringify(quoted));
    });
    onTestFinished(() => project.close());
    const product = await start(project.settings);
    await sendCanaryEverywhere(product);
    const output = await readAll(product);
    expect(output).toContain('"level":"error"');
    expect(findLeaks(output)).toEqual([]);
  });

  it("contains no password and no session of the admin", async () => {
    const product = await start();
    const admin = new Visitor(product.url);
    await admin.signIn();
    const session = admin.cookie("admin-session") ?? "";
    expect(session.length).toBeGreaterThan(50);
    await admin.get(`/admin?q=${canary}&filter=${canary}&before=${canary}`);
    await admin.post(`/admin/submissions.csv?q=${canary}`, { separator: "comma", note: canary });
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
    await new Visitor(product.url).post("/contact", { ...filledContactForm, name: canary, message: canary });
    const message = /\/admin\/messages\/[0-9a-f-]{36}/.exec((await admin.get("/admin")).html)?.[0] ?? "";
    const reply = { reply: crypto.randomUUID(), text: canary, snippet: canary };
    for (const intent of ["saveDraft", "insert", "send"]) await admin.post(message, { ...reply, intent });
    await admin.post(message, { ...reply, intent: "send", text: `Another ${canary}` });
    await admin.post("/admin/snippets", { intent: "save", name: canary, body: canary });
    await admin.post("/admin/snippets", { intent: "save", name: canary, body: canary });
    expect((await admin.get(message)).html).toContain(">Activity</h3>");
    await admin.post("/logout", { [canary]: canary });
    await admin.post(message, { ...reply, intent: "send" });
    const output = await readAll(product, ["account", "reply"]);
    expect(findLeaks(output)).toEqual([]);
    for (const secret of [testAdmin.password, testAdmin.email, session.slice(0, 40), session.slice(-40)]) {
      expect(output).not.toContain(secret);
    }
  });
});

/** Finds lines with sent data or an address. All clients of these tests are on this machine. */
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

/**
 * Reads everything that a site prints until it has stopped, which waits for work after responses and for buffered
 * lines.
 * @param mails kinds of emails that must have been written before
 */
async function readAll(site: TestSite, mails: string[] = []): Promise<string> {
  for (const kind of mails) await expect.poll(site.output).toContain(`"kind":"${kind}"`);
  await site.stop();
  return site.output();
}

/** Starts a site that stops with its test at the latest. */
async function start(settings: Record<string, string> = {}): Promise<TestSite> {
  const site = await startSite(settings);
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= site.stop());
  onTestFinished(stop);
  return { ...site, stop };
}
