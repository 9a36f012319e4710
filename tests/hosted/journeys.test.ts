import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filledDataRightsForm } from "../support/data-rights.ts";
import { findTablesWith } from "../support/find-text.ts";
import { type Answer, type Visitor, filledContactForm, readText } from "../support/visitor.ts";
import { choose } from "../routes/support/consent.ts";
import { type HostedSite, askPatiently, canRun, startHostedSite, whySkipped } from "./support/hosted-site.ts";

const sessionCookies = ["admin-session", "admin-session.0", "admin-session.1"];

describe.skipIf(!canRun)(`the site on the real services${whySkipped}`, () => {
  let site: HostedSite;
  beforeAll(async () => void (site = await startHostedSite()));
  afterAll(() => site?.close());

  it("brings a message to the firm's mailbox, to its sender's, and to the inbox", async () => {
    expect((await site.visitor().post("/contact", filledContactForm)).status).toBe(303);
    expect(await site.waitForMail("inbox@firm.example", /./)).toContain("We run nine clinics.");
    await site.waitForMail(filledContactForm.email, /./);
    const inbox = await open(await site.signIn());
    expect(readText(inbox.html)).toContain("Harbor Clinics");
  });

  it("leads a person from a request to the erasure of all that is held", async () => {
    const email = "person@orbit.example";
    const person = site.visitor();
    expect((await person.post("/contact", { ...filledContactForm, email, message: "Later." })).status).toBe(303);
    const request = { ...filledDataRightsForm, email, requestType: "erasure" };
    expect((await person.post("/data-rights", request)).status).toBe(303);
    const mail = await site.waitForMail(email, /please confirm/);
    const [link = "", token = ""] = /\/data-rights\/confirm\?token=([\w-]+)/.exec(mail) ?? [];
    expect((await person.get(link)).status).toBe(200);
    expect((await person.post("/data-rights/confirm", { token })).status).toBe(303);

    const admin = await site.signIn();
    const { html } = await open(admin, "/admin/requests");
    const [, path = ""] = /href="(\/admin\/requests\/[0-9a-f-]{36})"/.exec(html) ?? [];
    expect(readText((await open(admin, path)).html)).toContain("1 messages, 1 requests");
    expect((await admin.post(path, { intent: "erase" })).status).toBe(303);
    await site.waitForMail(email, /your data is erased/);
    await expect.poll(() => findTablesWith(site.database.sql, email)).toEqual([]);
  });

  it("records each choice about cookies, whichever process takes it", async () => {
    const person = site.visitor();
    const select = "select analytics_consent from private.consent_history order by decided_at";
    for (const choice of ["accept", "reject"] as const) expect((await choose(person, choice)).status).toBe(303);
    await expect.poll(() => site.database.sql(select)).toHaveLength(2);
  });

  it("signs in for both processes, renews an expired token, and refuses a wrong password", async () => {
    const admin = await site.signIn();
    for (let i = 0; i < 4; i++) expect((await open(admin)).status).toBe(200);
    expireToken(admin);
    const renewed = await open(admin);
    expect(renewed.status).toBe(200);
    expect(renewed.headers.getSetCookie().join("\n")).toMatch(/^admin-session/m);
    for (let i = 0; i < 2; i++) expect((await open(admin)).status).toBe(200);

    const wrong = await askPatiently(() => site.visitor().signIn({ ...site.admin, password: "not the passphrase" }));
    expect(wrong.status).toBe(401);
    expect(readText(wrong.html)).toContain("Invalid login credentials");
  });

  it("signs out of both processes, and a copy of the cookies opens nothing", async () => {
    const admin = await site.signIn();
    const copy = site.visitor();
    for (const name of sessionCookies) copy.setCookie(name, admin.cookie(name) ?? "");
    expect((await open(copy)).status).toBe(200);
    expect((await admin.post("/logout", {})).status).toBe(303);
    for (let i = 0; i < 2; i++) expect((await open(admin)).headers.get("location")).toBe("/login");
    for (let i = 0; i < 2; i++) expect((await open(copy)).headers.get("location")).toBe("/login");
  });
});

function open(visitor: Visitor, path = "/admin"): Promise<Answer> {
  return askPatiently(() => visitor.get(path));
}

/** As in a browser that has not come for an hour. */
function expireToken(visitor: Visitor): void {
  const chunked = sessionCookies.filter((name) => visitor.cookie(name));
  const whole = chunked.map((name) => visitor.cookie(name)).join("");
  const content = JSON.parse(Buffer.from(whole.replace("base64-", ""), "base64url").toString()) as object;
  for (const name of chunked) visitor.setCookie(name, "");
  const { access_token, refresh_token } = content as Record<string, string>;
  const expired = JSON.stringify({ access_token, refresh_token, expires_at: 1 });
  visitor.setCookie("admin-session", `base64-${Buffer.from(expired).toString("base64url")}`);
}
