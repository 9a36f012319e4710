import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAccountLink } from "../../support/account-links";
import { readMailsTo } from "../../support/data-rights";
import { makeSiteFolder } from "../../support/site-folder";
import { startSite, testAdmin, type TestSite } from "../../support/site";
import { Visitor, leadsTo, readText } from "../../support/visitor";

let product: TestSite;
let dataDir: string;
const { email } = testAdmin;
const timeouts = { accountResponse: 100 };

beforeAll(async () => {
  dataDir = await makeSiteFolder();
  product = await startSite({ TRUSTED_PROXIES: "1" }, { dataDir, timeouts });
});
afterAll(() => product?.stop());

/** Each test uses its own address, so that none is throttled for another's attempts. */
let lastHost = 0;
const newAddress = () => ({ "X-Forwarded-For": `203.0.113.${++lastHost}` });

const ask = (address: string, from = newAddress()) =>
  new Visitor(product.url).post("/login/forgotten", { email: address }, from);

const choose = (link: string, password: string) =>
  new Visitor(product.url).post(link, { token: link.split("=")[1]!, password, repeated: password }, newAddress());

describe("a forgotten password", () => {
  it("is requested from the sign-in page", async () => {
    const page = await new Visitor(product.url).get("/login");
    expect(page.html).toContain('href="/login/forgotten"');
    const form = await new Visitor(product.url).get("/login/forgotten");
    expect(form.status).toBe(200);
    expect(form.html).not.toContain("<script");
    const wrong = await ask("nobody");
    expect([wrong.status, readText(wrong.html)]).toEqual([
      400,
      expect.stringContaining("Enter an email address in the correct format"),
    ]);
    expect(wrong.html).toContain('value="nobody"');
  });

  it("gets the same response after the same delay for known and unknown addresses", async () => {
    const answers = [];
    for (const address of [email, "stranger@firm.example"]) {
      const begin = performance.now();
      const answer = await ask(address);
      expect(performance.now() - begin).toBeGreaterThanOrEqual(timeouts.accountResponse - 5);
      answers.push([answer.status, leadsTo(answer), answer.headers.getSetCookie(), answer.html]);
    }
    expect(answers[0]).toEqual(answers[1]);
    await readAccountLink(dataDir, email);
    expect(await readMailsTo(dataDir, "stranger@firm.example")).toEqual([]);
  });

  it("is replaced through the emailed link, once, and every session of the account ends", async () => {
    const before = await readAccountLink(dataDir, email);
    const elsewhere = new Visitor(product.url);
    await elsewhere.post("/login", testAdmin, newAddress());
    await ask(email);
    const link = await readAccountLink(dataDir, email, [before]);
    const page = await new Visitor(product.url).get(link);
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store, no-transform"]);
    expect(readText(page.html)).toContain(`Choose a new password for ${email}`);
    expect((await elsewhere.get("/admin")).status).toBe(200);

    const done = await choose(link, "a new phrase after that");
    expect([done.status, leadsTo(done)]).toEqual([303, "/login"]);
    expect(done.headers.getSetCookie().join()).not.toContain("admin-session");
    expect(leadsTo(await elsewhere.get("/admin"))).toBe("/login");
    for (const used of [before, link]) {
      expect((await new Visitor(product.url).get(used)).status).toBe(404);
      expect((await choose(used, "yet another phrase")).status).toBe(404);
    }
    expect((await new Visitor(product.url).post("/login", testAdmin, newAddress())).status).toBe(401);
    const again = new Visitor(product.url);
    await again.post("/login", { email, password: "a new phrase after that" }, newAddress());
    expect(readText((await again.get("/admin/people")).html)).toContain("set a new password through a link");
  });

  it("is emailed three times an hour to a mailbox, and may be requested five times by a client", async () => {
    const readLinks = async () =>
      (await readMailsTo(dataDir, email)).flatMap(({ text }) => text.match(/\/login\/password\?token=[\w-]+/) ?? []);
    const known = await readLinks();
    const from = newAddress();
    for (let i = 0; i < 5; i++) expect((await ask(email, from)).status).toBe(303);
    const throttled = await ask(email, from);
    expect([throttled.status, readText(throttled.html)]).toEqual([429, expect.stringContaining("Too many attempts.")]);
    expect(Number(throttled.headers.get("retry-after"))).toBeGreaterThan(60);
    await expect.poll(async () => (await readLinks()).filter((link) => !known.includes(link)).length).toBe(3);
    expect(product.output()).not.toMatch(/token=|a new phrase|stranger@/);
  });
});
