import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runOperation } from "#supabase/embedded/operations/run-operation";
import { runInProcess } from "../../../support/commands/run-in-process";
import { startSite, testAdmin, type TestSite } from "../../../support/site";
import { Visitor, leadsTo } from "../../../support/visitor";
import { ageSignIn, setUpSecondFactor } from "../../support/authenticator";

let site: TestSite;

async function signIn(admin = new Visitor(site.url)): Promise<Visitor> {
  await admin.signIn(testAdmin);
  return admin;
}

const session = "admin-session";
function copyOf(admin: Visitor): Visitor {
  const copy = new Visitor(site.url);
  copy.setCookie(session, admin.cookie(session) ?? "");
  return copy;
}

/** Makes the library refresh the copied tokens, as a thief could. */
function expire(copy: Visitor): Visitor {
  const cookie = copy.cookie(session) ?? "";
  const tokens: object = JSON.parse(Buffer.from(cookie.replace("base64-", ""), "base64url").toString());
  const expired = JSON.stringify({ ...tokens, expires_at: 1 });
  copy.setCookie(session, `base64-${Buffer.from(expired).toString("base64url")}`);
  return copy;
}

async function expectSignedOut(...copies: Visitor[]) {
  for (const copy of copies) {
    const answer = await copy.get("/admin/requests");
    expect([answer.status, leadsTo(answer)]).toEqual([303, "/login"]);
  }
}

// ASVS 7.2.4: an attacker planted the session's cookie, or copied it, before its owner authenticated.
describe("a copied session cookie", () => {
  beforeAll(async () => void (site = await startSite()));
  afterEach(() =>
    runInProcess(() => runOperation("admin", ["reset-second-factor", testAdmin.email], { DATA_DIR: site.dataDir })),
  );
  afterAll(() => site?.stop());

  it("is useless after the owner enters a code at sign-in", async () => {
    const { nextCode } = await setUpSecondFactor(await signIn());
    const owner = await signIn();
    const copies = [copyOf(owner), expire(copyOf(owner))];
    await owner.post("/login/second-factor", { intent: "code", code: nextCode() });
    await expectSignedOut(...copies);
    expect((await owner.get("/admin/requests")).status).toBe(200);
  });

  it("is useless after the owner sets up a factor", async () => {
    const owner = await signIn();
    const copies = [copyOf(owner), expire(copyOf(owner))];
    await setUpSecondFactor(owner);
    await expectSignedOut(...copies);
    expect((await owner.get("/admin/requests")).status).toBe(200);
  });

  it("is useless after the owner confirms their identity", async () => {
    const owner = await signIn();
    ageSignIn(owner, site.dataDir, 16);
    const copies = [copyOf(owner), expire(copyOf(owner))];
    await owner.post("/admin/confirm?next=/admin", { password: testAdmin.password });
    await expectSignedOut(...copies);
    expect((await owner.get("/admin/requests")).status).toBe(200);
  });

  it("is useless after the owner uses a recovery code", async () => {
    const { recoveryCodes } = await setUpSecondFactor(await signIn());
    const owner = await signIn();
    const copies = [copyOf(owner), expire(copyOf(owner))];
    await owner.post("/login/second-factor", { intent: "recovery", code: recoveryCodes[0]! });
    await expectSignedOut(...copies);
    expect((await owner.get("/admin/requests")).status).toBe(200);
  });

  it("is useless after the owner signs in again in the same browser", async () => {
    const owner = await signIn();
    const copies = [copyOf(owner), expire(copyOf(owner))];
    await signIn(owner);
    await expectSignedOut(...copies);
    expect((await owner.get("/admin/requests")).status).toBe(200);
  });
});
