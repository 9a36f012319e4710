import { afterAll, beforeAll, expect, it } from "vitest";
import { readMailsTo } from "../../../support/data-rights";
import { startSite, testAdmin, type TestSite } from "../../../support/site";
import { Visitor, leadsTo, readText } from "../../../support/visitor";
import { answerJson, startStubProject } from "../../support/stub-project";

let product: TestSite;

beforeAll(async () => {
  product = await startSite();
});
afterAll(() => product.stop());

const firefox = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0" };

const countMails = async () =>
  (await readMailsTo(product.dataDir, testAdmin.email)).filter(({ subject }) => subject.startsWith("New device"))
    .length;

it("lists each sign-in, and reports a new device once, with one email", async () => {
  const admin = new Visitor(product.url);
  await admin.post("/login", testAdmin, firefox);
  await expect.poll(countMails).toBe(1);
  await admin.post("/logout", {});
  await admin.post("/login", testAdmin, firefox);
  const text = readText((await admin.get("/admin/account")).html);
  expect(text).toMatch(/Signed in: Firefox on Linux .+ UTC Signed in on a new device: Firefox on Linux .+ UTC/);
  // An email about the second sign-in, if there were one, would arrive before the next device's email.
  await new Visitor(product.url).post("/login", testAdmin);
  await expect.poll(countMails).toBe(2);
});

it("does not list a wrong password as a sign-in", async () => {
  const attacker = new Visitor(product.url);
  await attacker.post("/login", { ...testAdmin, password: "not the passphrase" }, { "User-Agent": "Android" });
  const admin = new Visitor(product.url);
  await admin.post("/login", testAdmin, firefox);
  const { html } = await admin.get("/admin/account");
  expect(readText(html)).not.toContain("on Android");
});

it("signs in despite an unrecorded sign-in event, and logs the failure", async () => {
  const user = { id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", aud: "authenticated", email: testAdmin.email };
  const payload = Buffer.from(JSON.stringify({ sub: "u", exp: Math.floor(Date.now() / 1000) + 3600 })).toString(
    "base64url",
  );
  const access_token = `${Buffer.from('{"alg":"HS256"}').toString("base64url")}.${payload}.c2lnbmF0dXJl`;
  const session = { access_token, token_type: "bearer", expires_in: 3600, refresh_token: "refresh-token", user };
  const project = await startStubProject((call, response, request) => {
    const reply = (status: number, body: unknown) => answerJson(status, body)(call, response, request);
    if (call.path.startsWith("/auth/v1/token")) reply(200, session);
    else if (call.path.endsWith("/record_sign_in")) reply(404, { code: "PGRST202", message: "no such function" });
    else reply(200, {});
  });
  const site = await startSite(project.settings);
  try {
    expect(leadsTo(await new Visitor(site.url).post("/login", testAdmin))).toBe("/admin");
    expect(site.output()).toContain('"event":"login.not-noted","code":"PGRST202"');
  } finally {
    await site.stop();
    await project.close();
  }
});
