import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { sitePages } from "~/content/site-pages";
import { readAccountLink } from "../../support/account-links";
import { filledDataRightsForm, readMailsTo, readRequestLinks } from "../../support/data-rights";
import { filledJoinForm, joinAddress, readNetworkLink } from "../../support/network-links";
import { readTexts } from "../../support/page-source";
import { startSite, type TestSite, testAdmin } from "../../support/site";
import { Visitor, filledContactForm } from "../../support/visitor";
import { ageSignIn, readScan } from "../support/authenticator";
import { answerJson, startStubProject } from "../support/stub-project";

let site: TestSite;
let admin: Visitor;
const visitor = () => new Visitor(site.url);
const fallback = "Something went wrong on our side";
const firm = "[Company name]";

beforeAll(async () => {
  site = await startSite({ TRUSTED_PROXIES: "1", POST_RATE_LIMIT: "40" });
  admin = visitor();
  await admin.signIn();
});
afterAll(() => site.stop());

const token = (link: string) => link.split("=")[1] ?? "";

function titleOf(html: string): string {
  const titles = readTexts(html, "title");
  expect(titles).toHaveLength(1);
  return (titles[0] ?? "").replace(/ \| [^|]+$/, "");
}

async function readTitle(answer: Promise<{ status: number; html: string }>): Promise<[number, string]> {
  const { status, html } = await answer;
  return [status, titleOf(html)];
}

it("gives every public page a unique title", async () => {
  const titles = [];
  for (const { path } of sitePages) {
    const { status, html } = await visitor().get(path);
    expect(status).toBe(200);
    titles.push(titleOf(html));
  }
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles.filter((title) => title.startsWith("Error") || title === fallback || title === firm)).toEqual([]);
});

/** Finds the link in the firm's email that marks this test's message as answered. */
async function findAnsweredLink(): Promise<string> {
  const mails = await readMailsTo(site.dataDir, "admin@firm.example");
  const mail = mails.find(({ text }) => text.includes("answered@a.example"));
  return /(\/answered\?token=[\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
}

describe("titles behind an emailed link", () => {
  const gone = "This link no longer works";
  let links: { confirm: string; status: string };

  beforeAll(async () => {
    await visitor().post("/data-rights", filledDataRightsForm);
    links = await readRequestLinks(site.dataDir, filledDataRightsForm.email);
  });

  it("name the confirmation, and the request after it", async () => {
    expect(await readTitle(visitor().get(links.confirm))).toEqual([200, "Confirm your request"]);
    expect(await readTitle(visitor().get(links.status))).toEqual([200, "Your request"]);
    expect(await readTitle(visitor().get(`${links.status}&withdraw=ask`))).toEqual([200, "Your request"]);
    await visitor().post("/data-rights/confirm", { token: token(links.confirm) });
    expect(await readTitle(visitor().get(links.confirm))).toEqual([200, "Your request"]);
    expect(await readTitle(visitor().post("/data-rights/confirm", { token: newSecretToken() }))).toEqual([404, gone]);
  });

  it.each(["confirm", "status", "package"])("report an invalid link: %s", async (page) => {
    for (const value of [newSecretToken(), "x", ""]) {
      expect(await readTitle(visitor().get(`/data-rights/${page}?token=${value}`))).toEqual([404, gone]);
    }
  });

  it("offer a password, report an invalid one, and report a used link", async () => {
    await admin.post("/admin/people", { intent: "invite", email: "invited@firm.example" });
    const link = await readAccountLink(site.dataDir, "invited@firm.example");
    expect(await readTitle(visitor().get(link))).toEqual([200, "Choose a password"]);
    expect(await readTitle(visitor().post(link, { token: token(link), password: "short", repeated: "short" }))).toEqual(
      [400, "Error: Choose a password"],
    );
    const password = "a phrase for the first time";
    await visitor().post(link, { token: token(link), password, repeated: password });
    expect(await readTitle(visitor().get(link))).toEqual([404, gone]);
    expect(await readTitle(visitor().get(`/login/password?token=${newSecretToken()}`))).toEqual([404, gone]);
  });

  it("name the step of a membership, and report an invalid link", async () => {
    await visitor().post(joinAddress, { ...filledJoinForm, email: "titles@fund.example" });
    const link = await readNetworkLink(site.dataDir, "titles@fund.example");
    const act = (intent: string) => visitor().post(link, { token: token(link), intent });
    expect(await readTitle(visitor().get("/network"))).toEqual([200, "Investor network"]);
    expect(await readTitle(visitor().get(link))).toEqual([200, "Join the investor network"]);
    await act("confirm");
    expect(await readTitle(visitor().get(link))).toEqual([200, "Your place in the investor network"]);
    expect(await readTitle(act("change"))).toEqual([400, "Error: Your place in the investor network"]);
    const left = await act("leave");
    expect(await readTitle(visitor().follow(left))).toEqual([200, "You are not in the network"]);
    for (const address of [link, "/network?token=x", "/network?token="])
      expect(await readTitle(visitor().get(address))).toEqual([404, "This link doesn’t work"]);
  });

  it("ask whether a message was answered, and confirm that it is", async () => {
    await visitor().post("/contact", { ...filledContactForm, email: "answered@a.example" });
    await expect.poll(findAnsweredLink).not.toBe("");
    const link = await findAnsweredLink();
    expect(await readTitle(visitor().get(link))).toEqual([200, "Have you answered this message?"]);
    await visitor().post("/answered", { token: token(link) });
    expect(await readTitle(visitor().get(link))).toEqual([200, "This message is marked as answered"]);
    expect(await readTitle(visitor().get(`/answered?token=${newSecretToken()}`))).toEqual([
      404,
      "Oops! Page not found",
    ]);
  });

  it("report too many visits", async () => {
    const busy = { "X-Forwarded-For": "203.0.113.77" };
    const pages = ["/data-rights/status", "/login/password", "/answered", "/network"];
    for (let i = 0; i < 30; i++) await visitor().get(`/answered?token=${newSecretToken()}`, busy);
    for (const page of pages)
      expect(await readTitle(visitor().get(`${page}?token=${newSecretToken()}`, busy))).toEqual([
        429,
        "Too many requests",
      ]);
  });
});

describe("titles after errors", () => {
  const wrong = "x".repeat(40);

  it.each([
    ["/contact", {}, "Let’s talk"],
    ["/data-rights", {}, "Your data rights"],
    ["/login", {}, "Admin Login"],
    ["/login", { email: "nobody@firm.example", password: wrong }, "Admin Login"],
    ["/login/forgotten", {}, "Forgotten Password"],
    ["/network", {}, "Investor network"],
  ] as [string, Record<string, string>, string][])("begin with Error on %s", async (path, fields) => {
    const plain = titleOf((await visitor().get(path)).html);
    const { status, html } = await visitor().post(path, fields);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(titleOf(html)).toBe(`Error: ${plain}`);
  });

  it("begin with Error on every page of the admin area", async () => {
    await visitor().post("/contact", { ...filledContactForm, email: "titles@a.example" });
    const message = /\/admin\/messages\/[0-9a-f-]{36}/.exec((await admin.get("/admin")).html)?.[0] ?? "";
    await visitor().post("/data-rights", { ...filledDataRightsForm, email: "titles@a.example" });
    const request =
      /\/admin\/requests\/[0-9a-f-]{36}/.exec((await admin.get("/admin/requests?filter=unconfirmed")).html)?.[0] ?? "";
    await visitor().post("/contact?about=investors", {
      ...filledContactForm,
      email: "joins@a.example",
      joinNetwork: "on",
    });
    const network = (await admin.get("/admin/network?filter=asked")).html;
    const member = /\/admin\/network\/[0-9a-f-]{36}/.exec(network)?.[0] ?? "";
    const letter = `/admin/network/letters/${randomUUID()}`;
    const draft = { letter: letter.split("/").at(-1) ?? "", subject: "News", body: "Hello", toStates: "admitted" };
    await admin.post("/admin/network/letters/new", { ...draft, intent: "save" });
    const pages: [string, Record<string, string> | null][] = [
      ["/admin", { intent: "delete", confirmed: "yes", id: randomUUID() }],
      [message, { intent: "send", reply: randomUUID(), text: "" }],
      [message, { intent: "restore", id: message.split("/").at(-1) ?? "" }],
      ["/admin/requests", null],
      [request, { intent: "complete", text: "" }],
      [request, { intent: "complete", text: "Too early" }],
      ["/admin/requests/new", {}],
      ["/admin/answer-times", null],
      ["/admin/mail", null],
      ["/admin/snippets", { intent: "save" }],
      ["/admin/network", null],
      [member, { intent: "noted", text: "" }],
      [member, { intent: "admitted", text: "Too early", seen: "0" }],
      ["/admin/network/letters", null],
      ["/admin/network/letters/new", { intent: "check", letter: randomUUID() }],
      [letter, { ...draft, intent: "save", body: "Older", seen: "0" }],
      [letter, { intent: "stop", confirmed: "yes" }],
      [`${letter}/check`, { intent: "try", seen: "0" }],
      ["/admin/numbers", null],
      ["/admin/people", { intent: "invite", email: "" }],
      ["/admin/people", { intent: "remove", confirmed: "yes", id: randomUUID() }],
      ["/admin/account", { intent: "change-password" }],
      ["/admin/confirm", { password: "" }],
      ["/admin/confirm", { password: wrong }],
    ];
    for (const [path, fields] of pages) {
      const { status, html } = await admin.get(path);
      const plain = titleOf(html);
      expect([path, status, plain === fallback || plain.startsWith("Error")]).toEqual([path, 200, false]);
      if (fields === null) continue;
      const refused = await admin.post(path, fields);
      expect([path, refused.status, refused.headers.get("location")]).toEqual([path, expect.any(Number), null]);
      expect([path, fields, titleOf(refused.html)]).toEqual([path, fields, `Error: ${plain}`]);
      expect(refused.status).toBeGreaterThanOrEqual(400);
    }
    // A message that no longer exists comes back with the typed text.
    const missing = await admin.post(`/admin/messages/${randomUUID()}`, {
      intent: "send",
      reply: randomUUID(),
      text: "x",
    });
    expect([missing.status, titleOf(missing.html)]).toEqual([404, "Error: Admin Dashboard"]);
  });

  it("begin with Error when a second factor is set up or requested", async () => {
    const own = "/admin/account/second-factor";
    expect(await readTitle(admin.get(own))).toEqual([200, "Two-step verification"]);
    const { fields, code } = readScan((await admin.post(own, { intent: "begin" })).html);
    const finish = (typed: string) => admin.post(own, { ...fields, intent: "finish", code: typed });
    const empty = await finish("");
    expect([empty.status, titleOf(empty.html)]).toEqual([400, "Error: Two-step verification"]);
    const wrongCode = await finish("000000");
    expect([wrongCode.status, titleOf(wrongCode.html)]).toEqual([401, "Error: Two-step verification"]);
    expect(wrongCode.html).toContain("set your phone’s clock to automatic");
    expect(await readTitle(finish(code()))).toEqual([200, "Two-step verification"]);
    const challenged = visitor();
    await challenged.signIn();
    expect(await readTitle(challenged.get("/login/second-factor"))).toEqual([200, "Enter your code"]);
    const refused = await challenged.post("/login/second-factor", { intent: "code", code: "000000" });
    expect([refused.status, titleOf(refused.html)]).toEqual([401, "Error: Enter your code"]);
    expect(refused.html).toContain("set your phone’s clock to automatic");
    ageSignIn(admin, site.dataDir, 60);
    const confirm = await admin.post("/admin/confirm", { password: testAdmin.password, code: "000000" });
    expect([confirm.status, titleOf(confirm.html)]).toEqual([401, "Error: Confirm it’s you"]);
  });
});

describe("titles of error pages", () => {
  it.each([
    ["/no-such-page", 404, "Oops! Page not found"],
    ["/consent", 404, "Oops! Page not found"],
    ["/logout", 404, "Oops! Page not found"],
    ["/admin/messages/nonsense", 404, "Oops! Page not found"],
    [`/admin/requests/${randomUUID()}`, 404, "Oops! Page not found"],
  ])("name the problem at %s", async (path, status, title) => {
    const someone = visitor();
    await someone.signIn();
    expect(await readTitle((path.startsWith("/admin") ? admin : someone).get(path))).toEqual([status, title]);
  });

  it("name a cross-site post, an invalid one and one that is too large", async () => {
    const elsewhere = { Origin: "https://evil.example" };
    for (const path of ["/contact", "/login", "/consent"])
      expect(await readTitle(visitor().post(path, {}, elsewhere))).toEqual([403, "That came from another site"]);
    expect(await readTitle(visitor().post("/consent", {}))).toEqual([400, "We couldn’t read that"]);
    expect(await readTitle(visitor().post("/", {}))).toEqual([405, "That doesn’t work here"]);
    expect(await readTitle(visitor().post("/contact", { message: "x".repeat(300_000) }))).toEqual([
      413,
      "That is too large",
    ]);
  });

  it("name an unavailable backend on the affected page", async () => {
    const stub = await startStubProject(answerJson(503, {}));
    const failing = await startSite(stub.settings);
    try {
      const someone = new Visitor(failing.url);
      const link = newSecretToken();
      expect(await readTitle(someone.get(`/data-rights/status?token=${link}`))).toEqual([
        503,
        "We can’t look this up right now",
      ]);
      expect(await readTitle(someone.get(`/login/password?token=${link}`))).toEqual([
        503,
        "We can’t look this up right now",
      ]);
      expect(await readTitle(someone.post("/contact", filledContactForm))).toEqual([
        503,
        `Error: ${titleOf((await someone.get("/contact")).html)}`,
      ]);
      expect(await readTitle(someone.post("/data-rights", filledDataRightsForm))).toEqual([
        503,
        `Error: ${titleOf((await someone.get("/data-rights")).html)}`,
      ]);
      expect(await readTitle(someone.signIn())).toEqual([503, "Error: Admin Login"]);
      expect(await readTitle(someone.post("/login/forgotten", { email: "a@firm.example" }))).toEqual([
        503,
        `Error: ${titleOf((await someone.get("/login/forgotten")).html)}`,
      ]);
    } finally {
      await failing.stop();
      await stub.close();
    }
  });
});
