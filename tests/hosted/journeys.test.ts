import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, type Visitor, filledContactForm, leadsTo, readText } from "../support/visitor.ts";
import { choose } from "../routes/support/consent.ts";
import { type HostedSite, retryWhileUnavailable, canRun, startHostedSite, skipReason } from "./support/hosted-site.ts";

const sessionCookies = ["admin-session", "admin-session.0", "admin-session.1"];

describe.skipIf(!canRun)(`the site on the real services${skipReason}`, () => {
  let site: HostedSite;
  beforeAll(async () => void (site = await startHostedSite()));
  afterAll(() => site?.close());

  it("delivers a message to the firm and the inbox, and an acknowledgement to its sender", async () => {
    expect((await site.visitor().post("/contact", filledContactForm)).status).toBe(303);
    expect(await site.waitForMail("inbox@firm.example")).toContain("We run nine clinics.");
    await site.waitForMail(filledContactForm.email);
    const inbox = await open(await site.signIn());
    expect(readText(inbox.html)).toContain("Harbor Clinics");
  });

  it("records each cookie decision on either process", async () => {
    const person = site.visitor();
    const select = "select analytics_consent from private.consent_history order by decided_at";
    for (const choice of ["accept", "reject"] as const) expect((await choose(person, choice)).status).toBe(303);
    await expect.poll(() => site.database.sql(select)).toHaveLength(2);
  });

  it("signs in for both processes, renews an expired token, and rejects a wrong password", async () => {
    const admin = await site.signIn();
    for (let i = 0; i < 4; i++) expect((await open(admin)).status).toBe(200);
    expireToken(admin);
    const renewed = await open(admin);
    expect(renewed.status).toBe(200);
    expect(renewed.headers.getSetCookie().join("\n")).toMatch(/^admin-session/m);
    for (let i = 0; i < 2; i++) expect((await open(admin)).status).toBe(200);

    const wrong = await retryWhileUnavailable(() =>
      site.visitor().signIn({ ...site.admin, password: "not the passphrase" }),
    );
    expect(wrong.status).toBe(401);
    expect(readText(wrong.html)).toContain("Invalid login credentials");
  });

  it("signs out of both processes, and rejects a copy of the cookies", async () => {
    const admin = await site.signIn();
    const copy = site.visitor();
    for (const name of sessionCookies) copy.setCookie(name, admin.cookie(name) ?? "");
    expect((await open(copy)).status).toBe(200);
    expect((await admin.post("/logout", {})).status).toBe(303);
    for (let i = 0; i < 2; i++) expect(leadsTo(await open(admin))).toBe("/login");
    for (let i = 0; i < 2; i++) expect(leadsTo(await open(copy))).toBe("/login");
  });
});

function open(visitor: Visitor, path = "/admin"): Promise<Answer> {
  return retryWhileUnavailable(() => visitor.get(path));
}

/** Simulates a browser that returns after more than an hour. */
function expireToken(visitor: Visitor): void {
  const chunked = sessionCookies.filter((name) => visitor.cookie(name));
  const whole = chunked.map((name) => visitor.cookie(name)).join("");
  const content = JSON.parse(Buffer.from(whole.replace("base64-", ""), "base64url").toString()) as object;
  for (const name of chunked) visitor.setCookie(name, "");
  const { access_token, refresh_token } = content as Record<string, string>;
  const expired = JSON.stringify({ access_token, refresh_token, expires_at: 1 });
  visitor.setCookie("admin-session", `base64-${Buffer.from(expired).toString("base64url")}`);
}
