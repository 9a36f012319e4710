import { describe, expect, it } from "vitest";
import { readAccountLink } from "../../support/account-links";
import { readMailsTo } from "../../support/data-rights";
import { tokenOf } from "../../support/network-links";
import { testAdmin } from "../../support/site";
import { type Visitor, leadsTo, noticeOf, readText } from "../../support/visitor";
import { newClient, useSite } from "../support/world";

const timeouts = { accountResponse: 100 };
const site = useSite({ TRUSTED_PROXIES: "1" }, { timeouts });
const { email } = testAdmin;

const ask = (address: string, client = newClient()) => site.post("/login/forgotten", { email: address }, client);

const choose = (link: string, password: string) =>
  site.post(link, { token: tokenOf(link), password, repeated: password }, newClient());

async function signIn(password: string): Promise<Visitor> {
  const admin = site.visitor();
  await admin.post("/login", { email, password }, newClient());
  return admin;
}

describe("a forgotten password", () => {
  it("is requested from the sign-in page, without scripts", async () => {
    expect((await site.get("/login")).html).toContain('href="/login/forgotten"');
    const form = await site.get("/login/forgotten");
    expect([form.status, form.html.includes("<script")]).toEqual([200, false]);
  });

  it("gets the same response after the same delay for known and unknown addresses", async () => {
    const answers = [];
    for (const address of [email, "stranger@firm.example"]) {
      const begin = performance.now();
      const answer = await ask(address);
      expect(performance.now() - begin).toBeGreaterThanOrEqual(timeouts.accountResponse - 5);
      answers.push([answer.status, leadsTo(answer), noticeOf(answer), answer.headers.getSetCookie(), answer.html]);
    }
    expect(answers[0]).toEqual([303, "/login", "passwordLinkSent", [], ""]);
    expect(answers[1]).toEqual(answers[0]);
    await readAccountLink(site.dataDir, email);
    expect(await readMailsTo(site.dataDir, "stranger@firm.example")).toEqual([]);
  });

  it("is replaced through the emailed link, once, and every session of the account ends", async () => {
    const before = await readAccountLink(site.dataDir, email);
    const elsewhere = await signIn(testAdmin.password);
    await ask(email);
    const link = await readAccountLink(site.dataDir, email, [before]);
    const page = await site.get(link);
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store, no-transform"]);
    expect(readText(page.html)).toContain(`Choose a new password for ${email}`);
    expect((await elsewhere.get("/admin")).status).toBe(200);

    const done = await choose(link, "a new phrase after that");
    expect([done.status, leadsTo(done)]).toEqual([303, "/login"]);
    expect(done.headers.getSetCookie().join()).not.toContain("admin-session");
    expect(leadsTo(await elsewhere.get("/admin"))).toBe("/login");
    for (const used of [before, link]) {
      expect((await site.get(used)).status).toBe(404);
      expect((await choose(used, "yet another phrase")).status).toBe(404);
    }
    expect((await (await signIn(testAdmin.password)).get("/admin")).status).toBe(303);
    const again = await signIn("a new phrase after that");
    expect(readText((await again.get("/admin/people")).html)).toContain("set a new password through a link");
  });

  it("may be requested five times an hour by a client, and its links stay out of the log", async () => {
    const client = newClient();
    for (let i = 0; i < 5; i += 1) expect((await ask(email, client)).status).toBe(303);
    const throttled = await ask(email, client);
    expect([throttled.status, readText(throttled.html)]).toEqual([429, expect.stringContaining("Too many attempts.")]);
    expect(Number(throttled.headers.get("retry-after"))).toBeGreaterThan(60);
    expect(site.output()).not.toMatch(/token=|a new phrase|stranger@/);
  });
});
