import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ageSignIn, type Authenticator, setUpSecondFactor } from "../../support/authenticator";
import { startSite, testAdmin, type TestSite } from "../../../support/site";
import { Visitor, leadsTo } from "../../../support/visitor";

const challengePage = "/login/second-factor";

const enter = (visitor: Visitor, code: string, intent = "code") => visitor.post(challengePage, { intent, code });

// An attacker has an admin's password, but not their phone.
describe("a thief with the password who guesses codes", () => {
  let site: TestSite;
  let owner: Visitor;
  let app: Authenticator;

  beforeAll(async () => {
    site = await startSite();
    owner = await signIn();
    app = await setUpSecondFactor(owner);
  });
  afterAll(() => site?.stop());

  async function signIn(visitor = new Visitor(site.url)): Promise<Visitor> {
    await visitor.signIn(testAdmin);
    return visitor;
  }

  it("gets ten attempts over all sessions, five in each", async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) {
      const thief = await signIn();
      // The thief's device does not count as the owner's, although it has used the password.
      if (count === 2) await signIn(thief);
      const most = count < 2 ? 6 : 1;
      for (let tries = 0; tries < most; tries++) statuses.push((await enter(thief, "000000")).status);
    }
    const [first, second, third] = [statuses.slice(0, 6), statuses.slice(6, 12), statuses.slice(12)];
    expect(first).toEqual([401, 401, 401, 401, 401, 429]);
    expect(second).toEqual([401, 401, 401, 401, 401, 429]);
    expect(third).toEqual([429]);
  });

  it("does not stop the owner from confirming their identity in an open session", async () => {
    ageSignIn(owner, site.dataDir, 16);
    const confirm = "/admin/confirm?next=/admin/people";
    const { password } = testAdmin;
    expect((await owner.post(confirm, { password, code: "000000" })).status).toBe(401);
    const right = await owner.post(confirm, { password, code: app.nextCode() });
    expect(leadsTo(right)).toBe("/admin/people");
  });

  it("does not stop the owner from signing in on a known device, or with a recovery code", async () => {
    const elsewhere = await signIn();
    expect((await enter(elsewhere, "000000")).status, "a new device is limited as the thief's is").toBe(429);
    await signIn(owner);
    expect((await enter(owner, "000000")).status, "the owner's device still has attempts").toBe(401);
    const lost = await signIn();
    for (let tries = 0; tries < 5; tries++) expect((await enter(lost, "none", "recovery")).status).toBe(401);
    expect((await enter(lost, app.recoveryCodes[0]!, "recovery")).status).toBe(429);
    const again = await signIn();
    expect((await enter(again, app.recoveryCodes[0]!, "recovery")).status).toBe(303);
  });
});
